// A child process: how it starts, how it ends, and that it never outlives its parent.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/process/fd.h"
#include "base/result.h"

namespace msci {

// How to start a program.
struct ProcessOptions {
  std::vector<std::string> arguments;    // the program first; without '/' it is looked up in PATH
  std::vector<std::string> environment;  // "NAME=value"; each replaces our variable of that name
  bool inherits_environment = true;      // otherwise it has only `environment`
  std::string folder;                    // the working directory; empty for ours
  // Element i becomes descriptor i of the program; -1 stands for /dev/null. All others are closed.
  std::vector<int> descriptors = {-1, -1, -1};
  // Whether it leads a process group of its own, which is killed when it ends. Otherwise it stays
  // in our group and receives the signals of the terminal (Ctrl-C).
  bool own_group = true;
};

// How a process ended.
struct ExitStatus {
  std::optional<int> code;    // the status that it exited with
  std::optional<int> signal;  // the signal that killed it
  // Neither is set if the system kept no status: our parent ignores SIGCHLD.
  bool succeeded() const { return code == 0; }
  bool operator==(const ExitStatus&) const = default;
};

// In a copy of a process: closes the descriptors after standard error, except `kept`. A reader sees
// the end of a pipe or socket only after all processes have closed it.
void close_others(int kept);

// A running child process. The destructor kills it. The kernel kills it if the thread that started
// it ends first, whatever ends that thread.
class ChildProcess {
 public:
  // Starts a program with default signal handling. Errors: the system refuses, or lacks the
  // program or folder.
  static Result<ChildProcess> start(const ProcessOptions& options);
  // Starts a copy of this process that runs `body` and exits with the status that it returns.
  static Result<ChildProcess> fork(const std::function<int()>& body);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess() { kill(); }

  // Readable once the process has ended; -1 if the system has no such descriptors (Linux < 5.3).
  int descriptor() const { return ended_.get(); }

  // Waits until the process ends, then kills the rest of its group.
  ExitStatus wait();
  // The same, for at most `limit`; after that it kills the process and returns nothing.
  std::optional<ExitStatus> wait_for(std::chrono::milliseconds limit);
  // Sends SIGTERM, which lets it clean up, and does not wait for that.
  void ask_to_end();
  // Kills the process, if it still runs, and its group.
  ExitStatus kill();

 private:
  ChildProcess(pid_t process, bool own_group);

  pid_t process_ = 0;  // 0: the status was taken
  bool own_group_ = false;
  Fd ended_;
};

// "it was ended by signal 11 (Segmentation fault)", "it ended with status 3".
std::string describe(const ExitStatus& status);

}  // namespace msci
