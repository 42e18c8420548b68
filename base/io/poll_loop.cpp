#include "base/io/poll_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace msci {
namespace {

// Reported without being asked for.
constexpr short always_reported = POLLERR | POLLHUP | POLLNVAL;

// In milliseconds, as poll() takes it.
int timeout_until(std::optional<PollLoop::Clock::time_point> time) {
  if (!time) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*time - PollLoop::Clock::now());
  return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(left.count(), 0, 1 << 30));
}

}  // namespace

void PollLoop::watch(int descriptor, short events, std::function<void()> action) {
  const auto [found, is_new] = places_.try_emplace(descriptor, polled_.size());
  if (is_new) polled_.push_back({.fd = descriptor, .events = 0, .revents = 0});
  polled_[found->second].events |= events;
  watches_.push_back({found->second, events, std::move(action)});
}

std::optional<Error> PollLoop::wait() {
  if (::poll(polled_.data(), polled_.size(), timeout_until(wake_)) < 0) {
    if (errno == EINTR) return std::nullopt;
    return Error{fmt::format("cannot wait for {} files and processes: {}", polled_.size(),
                             std::strerror(errno))};
  }
  for (const auto& [place, events, action] : watches_)
    if ((polled_[place].revents & (events | always_reported)) != 0) action();
  return std::nullopt;
}

}  // namespace msci
