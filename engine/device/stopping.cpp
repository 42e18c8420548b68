#include <algorithm>

#include "base/statistics.h"
#include "engine/device/plan_runner.h"

namespace msci {
namespace {

constexpr std::size_t agreeing_passes = 3;
constexpr double agreement = 1.05;  // the slowest of them over the fastest

bool agree(const std::vector<double>& seconds) {
  if (seconds.size() < agreeing_passes) return false;
  const auto [fastest, slowest] =
      std::minmax_element(seconds.end() - agreeing_passes, seconds.end());
  return *slowest <= agreement * *fastest;
}

}  // namespace

void Stopping::add(double seconds, Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - phase_began_).count();
  if (warm_) {
    timed_.push_back(seconds);
    done_ = is_enough(elapsed);
    return;
  }
  warming_.push_back(seconds);
  warm_ = is_warm(elapsed);
  if (!warm_) return;
  phase_began_ = now;
  done_ = repeats_.timed == 0;
}

bool Stopping::is_warm(double elapsed) const {
  if (warming_.size() < repeats_.warmup || elapsed < repeats_.warmup_seconds) return false;
  return repeats_.warmup_seconds <= 0 || elapsed >= 2 * repeats_.warmup_seconds || agree(warming_);
}

bool Stopping::is_enough(double elapsed) const {
  if (timed_.size() < repeats_.timed) return false;
  if (repeats_.timed_seconds <= 0 || elapsed >= repeats_.timed_seconds) return true;
  if (timed_.size() >= most_timed_passes) return true;
  const auto error = relative_standard_error(timed_);
  return error && *error < repeats_.relative_error;
}

}  // namespace msci
