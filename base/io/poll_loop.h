// Waits for several descriptors at once.
#pragma once

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/result.h"

namespace msci {

// The descriptors of one round of an event loop, each with the actions for its events.
class PollLoop {
 public:
  using Clock = std::chrono::steady_clock;

  // Several watches may share a descriptor. Without events, the action runs when the other end is
  // closed.
  void watch(int descriptor, short events, std::function<void()> action);
  // Ends the wait at that time, if nothing happens before.
  void wake_at(Clock::time_point time) { wake_ = wake_ ? std::min(*wake_, time) : time; }

  // Waits for an event, then runs the actions of all that are ready, in the order of their watches.
  // Runs none if the time to wake comes first, or a signal. Errors: the system cannot wait. It
  // could not the next time either, so who waits in a loop has to end it.
  [[nodiscard]] std::optional<Error> wait();

 private:
  struct Watch {
    std::size_t place;  // in polled_
    short events;
    std::function<void()> action;
  };

  // One for each descriptor: the system refuses more than a process may have open.
  std::vector<pollfd> polled_;
  std::map<int, std::size_t> places_;  // of the descriptors, in polled_
  std::vector<Watch> watches_;
  std::optional<Clock::time_point> wake_;
};

}  // namespace msci
