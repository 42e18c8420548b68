// Ratios of two measurements, and what may be odd about one.
#pragma once

#include <optional>
#include <span>

namespace msci {

// In the order in which they are asked for; only valid ratios enter a mean.
enum class RatioClass { none, nan, infinite, negative, zero, valid };

// -0 is zero, -infinity is infinite.
RatioClass classify(const std::optional<double>& ratio);

// How many times faster: `reference` / `implementation`, both in the same unit. None where either
// is none; 0/0 is NaN and 1/0 infinite, as the division says.
std::optional<double> speed_up(std::optional<double> reference,
                               std::optional<double> implementation);

// The geometric mean of the valid ones; none where no ratio is valid.
std::optional<double> mean_ratio(std::span<const std::optional<double>> ratios);

}  // namespace msci
