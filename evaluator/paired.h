// Whether a kernel is faster than another one, told from times that were measured in turns.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace msci {

// Seconds of passes of a candidate and of its rival at one size; the i-th of one was measured
// beside the i-th of the other.
struct PairedTimes {
  std::string label;  // the size's
  std::vector<double> candidate;
  std::vector<double> rival;
  bool operator==(const PairedTimes&) const = default;
};

// Where a ratio lies with 95 % confidence.
struct Interval {
  double low = 0;
  double estimate = 0;
  double high = 0;
  bool operator==(const Interval&) const = default;
};

// The rival's time over the candidate's, as the geometric mean over the sizes: above 1 where the
// candidate is faster. None unless every size has two pairs of positive times.
std::optional<Interval> speedup_interval(std::span<const PairedTimes> sizes);

}  // namespace msci
