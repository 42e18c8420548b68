#include "lint/apart.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
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

// In the copy: what a library says before it gives up is not for the user, and what it throws (no
// memory is left) must not find a way back into what the parent was doing.
[[noreturn]] void work_and_exit(const std::function<std::string()>& work, const Limits& limits,
                                int out) noexcept {
  if (const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0)
    ::dup2(null, STDERR_FILENO);
  apply(limits);
  ::_exit(write_all(out, work()) ? 0 : 1);
}

std::string reason_of(int status, const Limits& limits) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU || signal == SIGKILL)
    return fmt::format("it takes more than {} s of processor time", limits.seconds);
  if (signal == SIGSEGV || signal == SIGBUS) return "it is nested too deeply";
  return fmt::format("it takes more than {} MiB of memory", limits.memory_bytes >> 20);
}

// A copy of this process at work, and what it has written so far.
struct Copy {
  std::size_t index = 0;  // of its work
  pid_t process = 0;
  int in = -1;
  std::string text;
};

Result<Copy> start(const std::function<std::string()>& work, const Limits& limits) {
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
  return Copy{.process = child, .in = ends[0]};
}

// Takes what the copy has to say now; whether that was all.
bool read_some(Copy& copy) {
  char chunk[1 << 16];
  const auto got = ::read(copy.in, chunk, sizeof chunk);
  if (got < 0) return errno != EINTR;
  copy.text.append(chunk, static_cast<std::size_t>(got));
  return got == 0;
}

Ended finish(Copy& copy, const Limits& limits) {
  ::close(copy.in);
  int status = 0;
  while (::waitpid(copy.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::move(copy.text);
  return Broken{reason_of(status, limits)};
}

// Which of the copies have something to say, or have ended; waits for one.
std::vector<pollfd> wait_for(const std::vector<Copy>& copies) {
  std::vector<pollfd> waits;
  for (const auto& copy : copies) waits.push_back({.fd = copy.in, .events = POLLIN, .revents = 0});
  while (::poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
  }
  return waits;
}

}  // namespace

Result<Ended> run_apart(const std::function<std::string()>& work, const Limits& limits) {
  return run_apart(std::vector{work}, 1, limits).front();
}

std::vector<Result<Ended>> run_apart(const std::vector<std::function<std::string()>>& works,
                                     unsigned at_once, const Limits& limits) {
  std::vector<Result<Ended>> results(works.size(), Ended());
  std::vector<Copy> copies;
  for (std::size_t next = 0; next < works.size() || !copies.empty();) {
    for (; next < works.size() && copies.size() < at_once; ++next) {
      auto copy = start(works[next], limits);
      if (!copy) {
        results[next] = copy.error();
        continue;
      }
      copy->index = next;
      copies.push_back(*std::move(copy));
    }
    const auto waits = wait_for(copies);
    for (auto i = copies.size(); i-- > 0;) {
      if (waits[i].revents == 0 || !read_some(copies[i])) continue;
      results[copies[i].index] = finish(copies[i], limits);
      copies.erase(copies.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return results;
}

}  // namespace msci
