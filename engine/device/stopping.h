// Decides when there are enough passes.
#pragma once

#include <chrono>
#include <vector>

#include "engine/device/device.h"

namespace msci {

// Counts passes as Repeats demands: first those of the warm-up, then the timed ones.
class Stopping {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Stopping(Repeats repeats, Clock::time_point now = Clock::now())
      : repeats_(repeats), phase_began_(now) {}

  bool wants_another() const { return !done_; }
  // A pass of so many seconds has just ended.
  void add(double seconds, Clock::time_point now = Clock::now());
  // The seconds of the passes after the warm-up.
  const std::vector<double>& timed() const { return timed_; }

 private:
  bool is_warm(double elapsed) const;
  bool is_enough(double elapsed) const;

  Repeats repeats_;
  Clock::time_point phase_began_;
  std::vector<double> warming_;
  std::vector<double> timed_;
  bool warm_ = repeats_.warmup == 0 && repeats_.warmup_seconds <= 0;
  bool done_ = warm_ && repeats_.timed == 0;
};

}  // namespace msci
