// What a row of measured times says, and how surely.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace msci {

// The mean of the two middle values where their number is even; of at least one value.
double median(std::vector<double> values);

// The value below which that share of the others lies, by interpolation; of at least one value.
double quantile(std::vector<double> values, double share);

// Standard deviation of the mean, as a share of the mean; none of fewer than two values, or of a
// mean of 0.
std::optional<double> relative_standard_error(std::span<const double> values);

struct ConfidenceInterval {
  double low = 0;
  double high = 0;
  bool operator==(const ConfidenceInterval&) const = default;
};

// Where the median lies with 95 % confidence: percentiles of the medians of 1,000 resamples, drawn
// by a generator of fixed seed. None of fewer than two values.
std::optional<ConfidenceInterval> bootstrap_median(std::span<const double> values);

// Where the median lies with at least that confidence, whatever the values' distribution: between
// the k-th smallest and the k-th largest, by the binomial distribution. None where even smallest
// and largest do not reach the confidence.
std::optional<ConfidenceInterval> rank_interval(std::vector<double> values, double confidence);

// Values beyond three times the interquartile range outside of the quartiles (Tukey's outer
// fences).
std::size_t count_outliers(std::span<const double> values);

// How much the values change from the first to the last, as a share of their median: the slope of
// Theil and Sen. None unless Kendall's test calls the trend significant at 1 % both ways.
std::optional<double> drift(std::span<const double> values);

// A row of times.
struct Spread {
  std::size_t samples = 0;
  std::optional<ConfidenceInterval> interval;  // of the median
  double interquartile = 0;                    // interquartile range / median
  std::optional<double> relative_error;        // of the mean
  std::size_t outliers = 0;
  std::optional<double> drift;
  bool operator==(const Spread&) const = default;
};

// Of at least one value.
Spread spread_of(std::span<const double> values);

}  // namespace msci
