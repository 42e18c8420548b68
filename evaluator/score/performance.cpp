#include "evaluator/score/performance.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

namespace msci {
namespace {

constexpr double worst_ratio = 2;  // of a cost to its reference, failures included

}  // namespace

double performance_score(std::optional<double> cost, double golden) {
  assert(std::isfinite(golden) && golden > 0);
  const bool counts = cost && std::isfinite(*cost) && *cost >= 0;
  return worst_ratio - (counts ? std::min(*cost / golden, worst_ratio) : worst_ratio);
}

PerformanceTotal performance_total(std::span<const CostSample> samples) {
  std::map<std::string, std::vector<double>> scores;
  for (const auto& sample : samples)
    scores[sample.kind].push_back(performance_score(sample.cost, sample.golden));
  PerformanceTotal total;
  double sum_of_means = 0;
  for (const auto& [kind, values] : scores) {
    double sum = 0;
    for (const auto value : values) sum += value;
    total.kinds.push_back({kind, values.size(), sum / static_cast<double>(values.size())});
    sum_of_means += total.kinds.back().score;
  }
  if (!scores.empty()) total.percent = 100 * sum_of_means / static_cast<double>(scores.size());
  return total;
}

}  // namespace msci
