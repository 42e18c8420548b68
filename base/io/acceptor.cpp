#include "base/io/acceptor.h"

#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>

namespace msci {
namespace {

constexpr std::chrono::milliseconds between_attempts(100);

// A client takes one descriptor. A process takes two, and two more while it starts. The rest is for
// the files of the server itself.
constexpr std::size_t clients_share = 3;
constexpr std::size_t processes_share = 6;

std::size_t at_once(std::size_t wanted, std::size_t share) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  return std::clamp<std::size_t>(limit.rlim_cur / share, 1, std::max<std::size_t>(wanted, 1));
}

}  // namespace

std::size_t clients_at_once(std::size_t wanted) { return at_once(wanted, clients_share); }

std::size_t processes_at_once(std::size_t wanted) { return at_once(wanted, processes_share); }

void Acceptor::watch(PollLoop& loop, std::function<void(Fd)> add) {
  if (PollLoop::Clock::now() < next_attempt_) return loop.wake_at(next_attempt_);
  loop.watch(listener_, POLLIN, [this, add = std::move(add)] {
    Fd client(::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (client) return add(std::move(client));
    next_attempt_ = PollLoop::Clock::now() + between_attempts;
  });
}

}  // namespace msci
