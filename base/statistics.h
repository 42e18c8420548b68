// Statistics of measured times.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace msci {

// The median; the mean of the two middle values if their number is even. Needs at least one value.
double median(std::vector<double> values);

// The value below which that share of the others lies, by interpolation. Needs at least one value.
double quantile(std::vector<double> values, double share);

// exp(mean(log(max(value, 1e-12)))), as the benchmark has it. Needs at least one value.
double geometric_mean(std::span<const double> values);

// The standard deviation of the mean, as a share of the mean; nothing for fewer than two values, or
// if the mean is 0.
std::optional<double> relative_standard_error(std::span<const double> values);

struct ConfidenceInterval {
  double low = 0;
  double high = 0;
  bool operator==(const ConfidenceInterval&) const = default;
};

// The 95 % confidence interval of the median: percentiles of the medians of 1,000 resamples, drawn
// by a generator with a fixed seed. Nothing for fewer than two values.
std::optional<ConfidenceInterval> bootstrap_median(std::span<const double> values);

// A confidence interval of the median for any distribution of the values: from the k-th smallest to
// the k-th largest, by the binomial distribution. Nothing if even the smallest and the largest do
// not reach the confidence.
std::optional<ConfidenceInterval> rank_interval(std::vector<double> values, double confidence);

// The number of values more than three interquartile ranges outside of the quartiles (Tukey's outer
// fences).
std::size_t count_outliers(std::span<const double> values);

// The change from the first to the last value, as a share of the first: the slope of Theil and Sen
// over the logarithms, so that nothing falls by more than all of it. Nothing unless all values are
// positive and Kendall's two-sided test finds the trend significant at 1 %.
std::optional<double> drift(std::span<const double> values);

// The distribution of a series of times.
struct Spread {
  std::size_t samples = 0;
  std::optional<ConfidenceInterval> interval;  // of the median
  double interquartile = 0;                    // interquartile range / median
  std::optional<double> relative_error;        // of the mean
  std::size_t outliers = 0;
  std::optional<double> drift;
  bool operator==(const Spread&) const = default;
};

// Needs at least one value.
Spread spread_of(std::span<const double> values);

}  // namespace msci
