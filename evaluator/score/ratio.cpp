#include <cmath>

#include "evaluator/score/performance.h"

namespace msci {

RatioClass classify(const std::optional<double>& ratio) {
  if (!ratio) return RatioClass::none;
  if (std::isnan(*ratio)) return RatioClass::nan;
  if (std::isinf(*ratio)) return RatioClass::infinite;
  if (*ratio < 0) return RatioClass::negative;
  if (*ratio == 0) return RatioClass::zero;
  return RatioClass::valid;
}

std::optional<double> speed_up(std::optional<double> reference,
                               std::optional<double> implementation) {
  if (!reference || !implementation) return std::nullopt;
  return *reference / *implementation;
}

std::optional<double> mean_ratio(std::span<const std::optional<double>> ratios) {
  double sum = 0;
  std::size_t valid = 0;
  for (const auto& ratio : ratios) {
    if (classify(ratio) != RatioClass::valid) continue;
    sum += std::log(*ratio);
    ++valid;
  }
  if (valid == 0) return std::nullopt;
  return std::exp(sum / static_cast<double>(valid));
}

}  // namespace msci
