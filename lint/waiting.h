// Waits for several descriptors at once.
#pragma once

#include <poll.h>

#include <functional>
#include <vector>

namespace msci {

// What is waited for, and what is done when it comes.
class Waiting {
 public:
  void on(int descriptor, short events, std::function<void()> action) {
    waits_.push_back({.fd = descriptor, .events = events, .revents = 0});
    actions_.push_back(std::move(action));
  }

  // Does what belongs to all that has come; nothing where a signal came instead.
  void wait() {
    if (::poll(waits_.data(), waits_.size(), -1) < 0) return;
    for (std::size_t i = 0; i < waits_.size(); ++i)
      if (waits_[i].revents != 0) actions_[i]();
  }

 private:
  std::vector<pollfd> waits_;
  std::vector<std::function<void()>> actions_;
};

}  // namespace msci
