#include "evaluator/result/predicted_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/statistics.h"

namespace msci {

double PredictedComparison::ratio() const {
  std::vector<double> ratios;
  for (const auto& size : sizes) ratios.push_back(size.ratio());
  return ratios.empty() ? 1 : geometric_mean(ratios);
}

bool PredictedComparison::is_extrapolated() const {
  return std::any_of(sizes.begin(), sizes.end(), [](const PredictedPair& size) {
    return size.candidate.extrapolated || size.rival.extrapolated;
  });
}

std::string with_interval(const PredictedComparison& comparison, std::string_view unit) {
  const auto [low, high] = comparison.interval();
  return fmt::format(
      "{:.2f} {} (80 %: {:.2f} to {:.2f}{})", comparison.ratio(), unit, low, high,
      comparison.is_extrapolated() ? "; outside of what the model was fitted to" : "");
}

}  // namespace msci
