#include "tasks/max_difference.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace msci {

double max_difference(std::span<const float> got, std::span<const float> expected) {
  assert(got.size() == expected.size() && "the plan and the reference agree on the layout");
  float worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const float difference = std::abs(got[i] - expected[i]);
    if (std::isnan(difference)) return difference;
    worst = std::max(worst, difference);
  }
  return worst;
}

double max_magnitude(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

Verdict within(std::string error_kind, double error_value, double tolerance) {
  return {.correct = error_value <= tolerance,
          .error_value = error_value,
          .error_kind = std::move(error_kind),
          .tolerance = tolerance};
}

}  // namespace msci
