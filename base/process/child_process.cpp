#include "base/process/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace msci {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int not_started = 127;  // the status of a child that could not become the program

// What the child needs. The parent prepares it, because the child may only make system calls.
struct Exec {
  char** arguments;
  char** environment;
  const char* folder;
  std::vector<int> descriptors;
  pid_t parent;
  bool own_group;
};

// Why a child could not become the program; the child writes it into its parent's memory.
struct StartFailure {
  const char* call = nullptr;
  int error = 0;
};

[[noreturn]] void fail(volatile StartFailure& failure, const char* call) {
  failure.call = call;
  failure.error = errno;
  ::_exit(not_started);
}

// The kernel kills this process when the thread that started it ends.
void die_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(not_started);  // the parent ended before the call above
}

// Handlers go away with the program; ignored and blocked signals would stay.
void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Gives the descriptors the numbers 0, 1, 2, ... and closes all others.
bool place(std::vector<int>& descriptors) {
  const auto count = static_cast<int>(descriptors.size());
  for (auto& each : descriptors)  // first out of the way of those numbers
    if ((each = ::fcntl(each, F_DUPFD_CLOEXEC, count)) < 0) return false;
  for (int i = 0; i < count; ++i)
    if (::dup2(descriptors[static_cast<std::size_t>(i)], i) < 0) return false;
  ::close_range(static_cast<unsigned>(count), ~0U, 0);
  return true;
}

[[noreturn]] void become(Exec& exec, volatile StartFailure& failure) {
  if (exec.own_group) ::setpgid(0, 0);
  die_with(exec.parent);
  reset_signals();
  if (!place(exec.descriptors)) fail(failure, "dup");
  if (*exec.folder && ::chdir(exec.folder) != 0) fail(failure, exec.folder);
  ::execvpe(exec.arguments[0], exec.arguments, exec.environment);
  fail(failure, nullptr);
}

// vfork() costs the same however large this process is, and the child can tell in our memory why it
// failed. posix_spawn() would do the same, but cannot set the signal of the parent's death. A
// handler of ours must not run in the child, so signals wait.
pid_t spawn(Exec& exec, volatile StartFailure& failure) {
  sigset_t all, old;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &old);
  const auto process = ::vfork();
  if (process == 0) become(exec, failure);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
  errno = error;
  return process;
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (auto& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Our environment, with `replacements` in place of our variables of those names.
std::vector<std::string> environment_with(std::vector<std::string> replacements) {
  const auto name_of = [](std::string_view variable) {
    return variable.substr(0, variable.find('='));
  };
  auto variables = replacements;
  for (char** each = environ; *each; ++each) {
    const bool replaced = std::any_of(replacements.begin(), replacements.end(), [&](auto& other) {
      return name_of(other) == name_of(*each);
    });
    if (!replaced) variables.emplace_back(*each);
  }
  return variables;
}

ExitStatus exit_status(int status) {
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status)};
}

// glibc 2.36 declares pidfd_open without C linkage, so the call is made by its number.
Fd open_process(pid_t process) {
  return Fd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
}

Error cannot_start(std::string_view program, std::string_view why) {
  return {fmt::format("cannot start {}: {}", program, why)};
}

}  // namespace

ChildProcess::ChildProcess(pid_t process, bool own_group)
    : process_(process), own_group_(own_group), ended_(open_process(process)) {}

Result<ChildProcess> ChildProcess::start(const ProcessOptions& options) {
  const auto& program = options.arguments.front();
  const Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null) return cannot_start(program, std::strerror(errno));
  auto descriptors = options.descriptors;
  std::replace(descriptors.begin(), descriptors.end(), -1, null.get());
  auto arguments = options.arguments;
  auto environment =
      options.inherits_environment ? environment_with(options.environment) : options.environment;
  const auto argument_pointers = pointers_to(arguments);
  const auto environment_pointers = pointers_to(environment);
  Exec exec{const_cast<char**>(argument_pointers.data()),
            const_cast<char**>(environment_pointers.data()),
            options.folder.c_str(),
            std::move(descriptors),
            ::getpid(),
            options.own_group};
  volatile StartFailure failure;
  const auto process = spawn(exec, failure);
  if (process < 0) return cannot_start(program, std::strerror(errno));
  ChildProcess child(process, options.own_group);
  if (failure.error == 0) return child;
  const char* call = failure.call;
  const auto why = std::strerror(failure.error);
  return cannot_start(program, call ? fmt::format("{}: {}", call, why) : why);
}

Result<ChildProcess> ChildProcess::fork(const std::function<int()>& body) {
  const auto parent = ::getpid();
  const auto process = ::fork();
  if (process < 0) return Error{fmt::format("cannot start a process: {}", std::strerror(errno))};
  if (process > 0) return ChildProcess(process, /*own_group=*/false);
  die_with(parent);
  ::_exit(body());
}

ExitStatus ChildProcess::wait() {
  siginfo_t info{};
  // The process stays a zombie, so that its group keeps its number until it is killed.
  while (process_ != 0 &&
         ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  return kill();
}

std::optional<ExitStatus> ChildProcess::wait_for(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  pollfd wait = {.fd = ended_.get(), .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    ready = ::poll(&wait, 1, static_cast<int>(std::clamp<long>(left, 0, 1 << 30)));
  } while (ready < 0 && errno == EINTR);
  const auto status = kill();
  return ready > 0 ? std::optional(status) : std::nullopt;
}

void ChildProcess::ask_to_end() {
  if (process_ != 0) ::kill(process_, SIGTERM);
}

ExitStatus ChildProcess::kill() {
  if (process_ == 0) return {};
  ::kill(own_group_ ? -process_ : process_, SIGKILL);
  int status = 0;
  pid_t reaped = 0;
  do {
    reaped = ::waitpid(process_, &status, 0);
  } while (reaped < 0 && errno == EINTR);
  process_ = 0;
  return reaped < 0 ? ExitStatus{} : exit_status(status);
}

void close_others(int kept) {
  const auto number = static_cast<unsigned>(kept);
  if (number > STDERR_FILENO + 1) ::close_range(STDERR_FILENO + 1, number - 1, 0);
  ::close_range(number + 1, ~0U, 0);
}

std::string describe(const ExitStatus& status) {
  if (status.signal)
    return fmt::format("it was ended by signal {} ({})", *status.signal,
                       ::strsignal(*status.signal));
  if (status.code) return fmt::format("it ended with status {}", *status.code);
  return "its exit status is unknown, because SIGCHLD is ignored";
}

}  // namespace msci
