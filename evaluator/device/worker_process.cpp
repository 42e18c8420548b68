#include "evaluator/device/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/files/install_paths.h"

namespace msci {
namespace {

constexpr int worker_socket = 3;                // where worker_main.cpp expects it
constexpr std::size_t quoted_characters = 300;  // of a dying driver's standard error

// Our environment, with the drivers' caches of compiled kernels in `folder`, so that no process
// loads what the process of another kernel wrote. PoCL 3.1 crashes on some kernels when it promises
// its vectoriser that threads are independent ("loopvec"), which makes none of the seeds faster;
// its plain loops do not crash.
std::vector<std::string> environment(const std::filesystem::path& folder) {
  constexpr std::array<std::string_view, 3> moved = {"POCL_CACHE_DIR", "CUDA_CACHE_PATH", "TMPDIR"};
  std::vector<std::string> variables;
  for (const auto name : moved) variables.push_back(fmt::format("{}={}", name, folder.string()));
  if (!std::getenv("POCL_WORK_GROUP_METHOD")) variables.push_back("POCL_WORK_GROUP_METHOD=loops");
  for (char** each = environ; *each; ++each) {
    const std::string_view variable = *each;
    const auto name = variable.substr(0, variable.find('='));
    if (std::find(moved.begin(), moved.end(), name) == moved.end())
      variables.emplace_back(variable);
  }
  return variables;
}

// Becomes the worker; runs between fork and exec, so it may only make system calls.
[[noreturn]] void become(char** arguments, char** variables, int socket, int log, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent died before prctl()
  const int null = ::open("/dev/null", O_RDWR);
  socket = ::fcntl(socket, F_DUPFD, 10);  // out of the way of what follows
  log = ::fcntl(log, F_DUPFD, 10);
  ::dup2(null, STDIN_FILENO);
  ::dup2(null, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  ::dup2(socket, worker_socket);
  ::close_range(worker_socket + 1, ~0U, 0);
  ::execve(arguments[0], arguments, variables);
  ::_exit(127);
}

// Starts msci-worker in a process group of its own; its process id.
Result<pid_t> spawn(std::string executable, const std::filesystem::path& folder, const Fd& socket,
                    const Fd& log) {
  auto variables = environment(folder);
  std::vector<char*> pointers;
  for (auto& variable : variables) pointers.push_back(variable.data());
  pointers.push_back(nullptr);
  auto argument = folder.string();
  char* arguments[] = {executable.data(), argument.data(), nullptr};
  const auto parent = ::getpid();
  const auto pid = ::fork();
  if (pid < 0) return Error{fmt::format("cannot start msci-worker: {}", std::strerror(errno))};
  if (pid == 0) become(arguments, pointers.data(), socket.get(), log.get(), parent);
  ::setpgid(pid, pid);  // the child does so too; whichever is first
  return pid;
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start() {
  auto executable = find_program("msci-worker");
  if (!executable) return executable.error();
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.error();
  auto ends = Channel::make_pair();
  if (!ends) return ends.error();
  Fd log(::memfd_create("msci-worker-log", MFD_CLOEXEC));
  const auto pid = spawn(*std::move(executable), folder->path(), ends->second.socket(), log);
  if (!pid) return pid.error();
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(*pid, *std::move(folder), std::move(ends->first), std::move(log)));
}

Attempt<Json> WorkerProcess::ask(const Json& request, std::span<const Fd> files,
                                 std::chrono::milliseconds limit, std::string_view doing) {
  if (!channel_.send(request.dump(), files)) return ended(doing);
  auto reply = channel_.receive(limit);
  if (auto* message = std::get_if<Message>(&reply)) {
    auto json = Json::parse(message->text, nullptr, false);
    if (!json.is_discarded()) return json;
    return Failure{Failure::Cause::crash,
                   fmt::format("its process returned malformed data while {}", doing)};
  }
  if (std::get<Silence>(reply) == Silence::closed) return ended(doing);
  end();
  return Failure{Failure::Cause::time_out,
                 fmt::format("no result after {:g} s of {}",
                             std::chrono::duration<double>(limit).count(), doing)};
}

// Kills the process with all that it started, and returns its wait status. For a process that is
// already dying, the status is its own.
int WorkerProcess::end() {
  if (pid_ == 0) return 0;
  ::kill(-pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  return status;
}

Failure WorkerProcess::ended(std::string_view doing) {
  const int status = end();
  if (WIFEXITED(status))
    return {Failure::Cause::exit, fmt::format("its process ended with status {} while {}{}",
                                              WEXITSTATUS(status), doing, quoted_log())};
  const int signal = WTERMSIG(status);
  if (signal == SIGKILL)
    return {Failure::Cause::out_of_memory,
            fmt::format("its process was killed while {}, as for lack of memory", doing)};
  return {Failure::Cause::crash, fmt::format("its process died of signal {} ({}) while {}{}",
                                             signal, ::strsignal(signal), doing, quoted_log())};
}

// The end of the worker's standard error.
std::string WorkerProcess::quoted_log() const {
  std::array<char, quoted_characters> text = {};
  const auto size = ::lseek(log_.get(), 0, SEEK_END);
  const auto from = std::max<off_t>(0, size - static_cast<off_t>(text.size()));
  const auto got = ::pread(log_.get(), text.data(), text.size(), from);
  if (got <= 0) return {};
  std::string log(text.data(), static_cast<std::size_t>(got));
  log.resize(log.find_last_not_of(" \n") + 1);
  return log.empty() ? "" : "; it said: " + log;
}

}  // namespace msci
