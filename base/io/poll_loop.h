// Waits for several descriptors at once.
#pragma once

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace msci {

// The descriptors of one round of an event loop, each with the action for its events.
class PollLoop {
 public:
  using Clock = std::chrono::steady_clock;

  void watch(int descriptor, short events, std::function<void()> action) {
    polled_.push_back({.fd = descriptor, .events = events, .revents = 0});
    actions_.push_back(std::move(action));
  }

  // Waits for an event, then runs the actions of all that are ready. Runs none after the deadline,
  // or if a signal arrives first.
  void wait(std::optional<Clock::time_point> deadline = std::nullopt) {
    if (::poll(polled_.data(), polled_.size(), timeout(deadline)) < 0) return;
    for (std::size_t i = 0; i < polled_.size(); ++i)
      if (polled_[i].revents != 0) actions_[i]();
  }

 private:
  static int timeout(std::optional<Clock::time_point> deadline) {
    if (!deadline) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
    return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(left.count(), 0, 1 << 30));
  }

  std::vector<pollfd> polled_;
  std::vector<std::function<void()>> actions_;
};

}  // namespace msci
