#include "lint/apart.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <llvm/Support/ErrorHandling.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "lint/address_space.h"

namespace msci {
namespace {

// Deep recursion is no crash yet: the stack grows up to here. The kernel leaves at least 128 MiB of
// room below it.
constexpr std::size_t stack_bytes = std::size_t{96} << 20;

// How a copy ends that runs into a limit which no signal tells apart.
enum ExitStatus { answered = 0, unheard = 1, out_of_memory = 3, out_of_stack = 4 };

// Signals that a program brings upon itself.
constexpr std::array faults = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};

// Where the copy's stack starts; what faults that far below it has outgrown the stack.
const char* stack_start = nullptr;

void take_fault(int signal, siginfo_t* info, void*) {
  const bool has_address = info->si_code > 0;  // it came from an instruction, not from kill()
  const auto depth = stack_start - static_cast<const char*>(info->si_addr);
  constexpr std::ptrdiff_t slack = 4 << 20;
  const auto size = static_cast<std::ptrdiff_t>(stack_bytes);
  if (has_address && depth > size - slack && depth < size + slack) ::_exit(out_of_stack);
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // taken on the way out of here
}

// Tells a stack that overflows, and memory that is not to be had, from other ends.
void watch() {
  static char room[1 << 16];  // to run on where the stack has none left
  const stack_t stack{.ss_sp = room, .ss_flags = 0, .ss_size = sizeof room};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = take_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGSEGV, &action, nullptr);
  ::sigaction(SIGBUS, &action, nullptr);
  std::set_new_handler([] { ::_exit(out_of_memory); });
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { ::_exit(out_of_memory); });
}

void limit(int resource, rlim_t value) {
  rlimit both{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &both) != 0) return;
  both.rlim_cur = std::min(value, both.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

void apply(const Limits& limits) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.seconds);
  limit(RLIMIT_STACK, stack_bytes);
#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes that it never uses
  if (const auto now = address_space_in_use()) limit(RLIMIT_AS, *now + limits.memory_bytes);
#endif
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// In the copy: what a library says before it gives up is not for the user, and what it throws (no
// memory is left) must not find a way back into what the parent was doing.
[[noreturn]] void work_and_exit(const Work& work, const Limits& limits, int out) noexcept {
  // The ends of others' pipes and sockets, which they wait to see closed, are not for us to hold.
  const auto kept = static_cast<unsigned>(out);
  if (kept > STDERR_FILENO + 1) ::close_range(STDERR_FILENO + 1, kept - 1, 0);
  ::close_range(kept + 1, ~0U, 0);
  if (const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0)
    ::dup2(null, STDERR_FILENO);
  char here = 0;
  stack_start = &here;
  watch();
  apply(limits);
  ::_exit(write_all(out, work()) ? answered : unheard);
}

// What the copy came to that gave no answer. Errors: somebody else ended it.
Result<Ended> broken_by(int status, const Limits& limits) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == out_of_memory)
    return Ended(
        Broken{fmt::format("it takes more than {} MiB of memory", limits.memory_bytes >> 20)});
  if (WIFEXITED(status) && WEXITSTATUS(status) == out_of_stack)
    return Ended(Broken{"it is nested too deeply"});
  if (signal == SIGXCPU)
    return Ended(Broken{fmt::format("it takes more than {} s of processor time", limits.seconds)});
  for (const int fault : faults)
    if (signal == fault)
      return Ended(Broken{fmt::format("it crashes on it ({})", ::strsignal(signal))});
  return Error{signal ? fmt::format("the process that read the source was ended by signal {} ({})",
                                    signal, ::strsignal(signal))
                      : fmt::format("the process that read the source ended with status {}",
                                    WEXITSTATUS(status))};
}

int reap(int process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// Waits until one of the copies has something to say, or has ended.
std::vector<pollfd> wait_for(const std::vector<std::pair<std::size_t, Apart>>& copies) {
  std::vector<pollfd> waits;
  for (const auto& [index, copy] : copies)
    waits.push_back({.fd = copy.descriptor(), .events = POLLIN, .revents = 0});
  while (::poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
  }
  return waits;
}

}  // namespace

Result<Apart> Apart::start(const Work& work, const Limits& limits) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return Error{fmt::format("cannot open a pipe: {}", std::strerror(errno))};
  const auto child = ::fork();
  if (child < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return Error{fmt::format("cannot start a process: {}", std::strerror(errno))};
  }
  if (child == 0) work_and_exit(work, limits, ends[1]);
  ::close(ends[1]);
  return Apart(child, ends[0], limits);
}

Apart::Apart(Apart&& other) noexcept
    : process_(std::exchange(other.process_, 0)),
      in_(std::exchange(other.in_, -1)),
      limits_(other.limits_),
      text_(std::move(other.text_)) {}

Apart& Apart::operator=(Apart&& other) noexcept {
  if (this == &other) return *this;
  give_up();
  process_ = std::exchange(other.process_, 0);
  in_ = std::exchange(other.in_, -1);
  limits_ = other.limits_;
  text_ = std::move(other.text_);
  return *this;
}

Apart::~Apart() { give_up(); }

void Apart::give_up() {
  if (process_ == 0) return;
  ::kill(process_, SIGKILL);
  ::close(in_);
  reap(std::exchange(process_, 0));
}

bool Apart::take() {
  char chunk[1 << 16];
  const auto got = ::read(in_, chunk, sizeof chunk);
  if (got < 0) return errno != EINTR;
  text_.append(chunk, static_cast<std::size_t>(got));
  return got == 0;
}

Result<Ended> Apart::finish() {
  ::close(in_);
  const int status = reap(std::exchange(process_, 0));
  if (WIFEXITED(status) && WEXITSTATUS(status) == answered) return Ended(std::move(text_));
  return broken_by(status, limits_);
}

Result<Ended> run_apart(const Work& work, const Limits& limits) {
  return run_apart(
             1, [&](std::size_t) { return work; }, 1, limits)
      .front();
}

std::vector<Result<Ended>> run_apart(std::size_t count,
                                     const std::function<Work(std::size_t)>& work_at,
                                     unsigned at_once, const Limits& limits) {
  std::vector<Result<Ended>> results(count, Ended());
  std::vector<std::pair<std::size_t, Apart>> copies;
  for (std::size_t next = 0; next < count || !copies.empty();) {
    for (; next < count && copies.size() < at_once; ++next) {
      auto copy = Apart::start(work_at(next), limits);
      if (copy)
        copies.emplace_back(next, *std::move(copy));
      else
        results[next] = copy.error();
    }
    if (copies.empty()) continue;  // none could be started
    const auto waits = wait_for(copies);
    for (auto i = copies.size(); i-- > 0;) {
      auto& [index, copy] = copies[i];
      if (waits[i].revents == 0 || !copy.take()) continue;
      results[index] = copy.finish();
      copies.erase(copies.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return results;
}

}  // namespace msci
