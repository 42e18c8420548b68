#include "base/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <random>

namespace msci {
namespace {

constexpr unsigned resamples = 1000;
constexpr double two_sided_95 = 0.025;
constexpr double normal_99_5 = 2.5758;  // the point of the normal distribution for 1 % both ways
constexpr double outer_fence = 3;       // interquartile ranges

double at_share(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// Every (later - earlier) / (steps between them).
std::vector<double> slopes_of(std::span<const double> values) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j)
      slopes.push_back((values[j] - values[i]) / static_cast<double>(j - i));
  return slopes;
}

// Kendall's S over its standard deviation, were there no trend.
double kendall(const std::vector<double>& slopes, double count) {
  double balance = 0;
  for (const auto slope : slopes) balance += slope > 0 ? 1 : slope < 0 ? -1 : 0;
  const double variance = count * (count - 1) * (2 * count + 5) / 18;
  return balance / std::sqrt(variance);
}

}  // namespace

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

double quantile(std::vector<double> values, double share) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  return at_share(values, share);
}

double geometric_mean(std::span<const double> values) {
  double sum = 0;
  for (const auto value : values) sum += std::log(std::max(value, 1e-12));
  return std::exp(sum / static_cast<double>(values.size()));
}

std::optional<double> relative_standard_error(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (mean == 0) return std::nullopt;
  double squares = 0;
  for (const auto value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / (count * (count - 1))) / std::abs(mean);
}

std::optional<ConfidenceInterval> bootstrap_median(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  std::minstd_rand random(1);
  std::uniform_int_distribution<std::size_t> place(0, values.size() - 1);
  std::vector<double> medians;
  std::vector<double> drawn(values.size());
  for (unsigned i = 0; i < resamples; ++i) {
    std::generate(drawn.begin(), drawn.end(), [&] { return values[place(random)]; });
    medians.push_back(median(drawn));
  }
  return ConfidenceInterval{quantile(medians, two_sided_95), quantile(medians, 1 - two_sided_95)};
}

std::optional<ConfidenceInterval> rank_interval(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  const auto count = values.size();
  // The chance that fewer than k values lie below the median is the sum of C(n, i) / 2^n, i < k.
  double outside = std::pow(0.5, static_cast<double>(count));
  double term = outside;
  std::size_t k = 0;
  while (k < count / 2 && 2 * outside <= 1 - confidence) {
    ++k;
    term *= static_cast<double>(count - k + 1) / static_cast<double>(k);
    outside += term;
  }
  if (k == 0) return std::nullopt;
  return ConfidenceInterval{values[k - 1], values[count - k]};
}

std::size_t count_outliers(std::span<const double> values) {
  if (values.empty()) return 0;
  const std::vector<double> all(values.begin(), values.end());
  const double low = quantile(all, 0.25);
  const double high = quantile(all, 0.75);
  const double reach = outer_fence * (high - low);
  return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [&](double value) {
    return value < low - reach || value > high + reach;
  }));
}

std::optional<double> drift(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  std::vector<double> logarithms;
  for (const auto value : values) {
    if (!(value > 0)) return std::nullopt;
    logarithms.push_back(std::log(value));
  }
  const auto count = static_cast<double>(values.size());
  const auto slopes = slopes_of(logarithms);
  if (std::abs(kendall(slopes, count)) < normal_99_5) return std::nullopt;
  return std::expm1(median(slopes) * (count - 1));
}

Spread spread_of(std::span<const double> values) {
  const std::vector<double> all(values.begin(), values.end());
  const double middle = median(all);
  const double range = quantile(all, 0.75) - quantile(all, 0.25);
  return {.samples = values.size(),
          .interval = bootstrap_median(values),
          .interquartile = middle > 0 ? range / middle : 0,
          .relative_error = relative_standard_error(values),
          .outliers = count_outliers(values),
          .drift = drift(values)};
}

}  // namespace msci
