#include "lint/apart.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace msci {
namespace {

// Deep recursion is no crash yet: the stack grows up to here. The kernel leaves at least 128 MiB of
// room below it.
constexpr std::size_t stack_bytes = std::size_t{96} << 20;

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
  limit(RLIMIT_AS, limits.memory_bytes);
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

// In the copy: what a library says before it gives up is not for the user.
[[noreturn]] void work_and_exit(const std::function<std::string()>& work, const Limits& limits,
                                int out) {
  if (const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0)
    ::dup2(null, STDERR_FILENO);
  apply(limits);
  ::_exit(write_all(out, work()) ? 0 : 1);
}

std::string read_all(int fd) {
  std::string text;
  char chunk[1 << 16];
  for (;;) {
    const auto got = ::read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(chunk, static_cast<std::size_t>(got));
  }
}

std::string reason_of(int status, const Limits& limits) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU || signal == SIGKILL)
    return fmt::format("it takes more than {} s of processor time", limits.seconds);
  if (signal == SIGSEGV || signal == SIGBUS) return "it is nested too deeply";
  return fmt::format("it takes more than {} MiB of memory", limits.memory_bytes >> 20);
}

}  // namespace

Result<std::variant<std::string, Broken>> run_apart(const std::function<std::string()>& work,
                                                    const Limits& limits) {
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
  auto text = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {std::move(text)};
  return {Broken{reason_of(status, limits)}};
}

}  // namespace msci
