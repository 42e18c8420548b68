#include "evaluator/paired.h"

#include <algorithm>
#include <cmath>

namespace msci {
namespace {

struct Sample {
  double mean = 0;
  double variance_of_mean = 0;
  std::size_t count = 0;
};

// Of the logarithms of the ratios: what disturbs both of a pair cancels.
std::optional<Sample> sample_of(const PairedTimes& times) {
  const auto count = std::min(times.candidate.size(), times.rival.size());
  if (count < 2) return std::nullopt;
  std::vector<double> logs;
  for (std::size_t i = 0; i < count; ++i) {
    if (!(times.candidate[i] > 0) || !(times.rival[i] > 0)) return std::nullopt;
    logs.push_back(std::log(times.rival[i] / times.candidate[i]));
  }
  Sample sample{.count = count};
  for (const auto log : logs) sample.mean += log / static_cast<double>(count);
  double squares = 0;
  for (const auto log : logs) squares += (log - sample.mean) * (log - sample.mean);
  sample.variance_of_mean = squares / static_cast<double>(count * (count - 1));
  return sample;
}

// The 97.5 % point of Student's t, by the expansion 26.7.5 of Abramowitz and Stegun: 0.1 % off at
// four degrees of freedom, less above.
double student(double degrees) {
  constexpr double z = 1.959963985;
  const double g1 = (std::pow(z, 3) + z) / 4;
  const double g2 = (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / 96;
  const double g3 = (3 * std::pow(z, 7) + 19 * std::pow(z, 5) + 17 * std::pow(z, 3) - 15 * z) / 384;
  const double g4 = (79 * std::pow(z, 9) + 776 * std::pow(z, 7) + 1482 * std::pow(z, 5) -
                     1920 * std::pow(z, 3) - 945 * z) /
                    92160;
  return z + g1 / degrees + g2 / std::pow(degrees, 2) + g3 / std::pow(degrees, 3) +
         g4 / std::pow(degrees, 4);
}

}  // namespace

std::optional<Interval> speedup_interval(std::span<const PairedTimes> sizes) {
  double mean = 0;
  double variance = 0;
  double spread = 0;  // the denominator of Welch and Satterthwaite's degrees of freedom
  const auto count = static_cast<double>(sizes.size());
  for (const auto& size : sizes) {
    const auto sample = sample_of(size);
    if (!sample) return std::nullopt;
    const double share = sample->variance_of_mean / (count * count);
    mean += sample->mean / count;
    variance += share;
    spread += share * share / static_cast<double>(sample->count - 1);
  }
  if (sizes.empty()) return std::nullopt;
  const double reach =
      variance > 0 ? student(variance * variance / spread) * std::sqrt(variance) : 0;
  return Interval{std::exp(mean - reach), std::exp(mean), std::exp(mean + reach)};
}

}  // namespace msci
