// Work on untrusted input in a copy of this process, within limits.
#pragma once

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/process/child_process.h"
#include "base/result.h"

namespace msci {

// What the work may use. A long kernel takes a tenth of a second and as many megabytes.
struct Limits {
  unsigned seconds = 5;                               // of processor time
  std::size_t memory_bytes = std::size_t{900} << 20;  // in addition to what this process has
};

// Why the work did not end: "it takes more than 5 s of processor time".
struct WorkFailure {
  std::string reason;
  std::string kept;  // the last text that it passed to keep(); empty without one
};

// The text that the work returned, or why it returned none.
using IsolatedOutcome = std::variant<std::string, WorkFailure>;

using Work = std::function<std::string()>;

// Work that answers one request after another.
using AnsweringWork = std::function<std::string(std::string_view request)>;

// Called by work inside an isolated process: the text remains if the work fails later.
void keep(std::string_view text);

// Exits with the status that reports the memory limit to the parent. For handlers of allocation
// failures inside an isolated process.
[[noreturn]] void exit_out_of_memory();

// A copy of this process that runs some work. The destructor kills it.
class IsolatedProcess {
 public:
  // Any thread may start one: the copy has a deep stack, but no other thread. It dies with the
  // thread that starts it. Errors: the system cannot start a process.
  static Result<IsolatedProcess> start(const Work& work, const Limits& limits = {});
  // One that answers requests until it is killed. The limits are for each answer, beside what the
  // earlier ones have used and left.
  static Result<IsolatedProcess> serve(const AnsweringWork& work, const Limits& limits = {});

  // Passes on a request to a process that answers them, once it has answered the one before.
  void ask(std::string_view request);
  // Waits for the answer; `on_kept` gets the texts that the work keeps meanwhile. After a failure
  // the process has ended. Errors: those of finish().
  Result<IsolatedOutcome> answer(const std::function<void(std::string_view)>& on_kept = nullptr);

  // Readable when there is something to read; for poll().
  int descriptor() const { return socket_.get(); }
  // Reads a piece of the text, and waits for it if necessary. True at the end.
  bool read_available();
  // The outcome, once everything is read. Errors: a signal from outside ended the process.
  Result<IsolatedOutcome> finish();

 private:
  IsolatedProcess(ChildProcess process, Fd socket, const Limits& limits)
      : process_(std::move(process)), socket_(std::move(socket)), limits_(limits) {}
  static Result<IsolatedProcess> fork(const std::function<bool()>& run, const Limits& limits);

  ChildProcess process_;
  Fd socket_;
  Limits limits_;
  std::string received_;
  std::string kept_;                   // the last text that was passed to keep()
  std::optional<std::string> answer_;  // that the caller has not taken
};

// Isolated processes that run side by side. The destructor kills those that still run.
class IsolatedPool {
 public:
  using OnDone = std::function<void(std::size_t number, Result<IsolatedOutcome> outcome)>;

  // Starts a work. Errors: the system cannot start a process.
  [[nodiscard]] std::optional<Error> start(std::size_t number, const Work& work,
                                           const Limits& limits);
  std::size_t running() const { return running_.size(); }
  // Waits until something happens, and passes on the outcomes of works that have ended. If the
  // system cannot wait, all end with its error.
  void wait(const OnDone& on_done);

 private:
  struct Running {
    std::size_t number;
    IsolatedProcess process;
    bool is_done = false;
  };
  std::list<Running> running_;
};

// Runs `work` in a copy of this process. Errors: the system cannot start one, or a signal from
// outside ended it.
Result<IsolatedOutcome> run_isolated(const Work& work, const Limits& limits = {});

// Runs `count` works, each in a process of its own, at most `at_once` at a time. The results are in
// the order of the works. `work_at` is called in this process, in that order, before a work starts.
std::vector<Result<IsolatedOutcome>> run_isolated(std::size_t count,
                                                  const std::function<Work(std::size_t)>& work_at,
                                                  unsigned at_once, const Limits& limits = {});

}  // namespace msci
