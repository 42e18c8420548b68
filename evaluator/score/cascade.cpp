#include <algorithm>
#include <cassert>
#include <map>
#include <vector>

#include "evaluator/score/performance.h"

namespace msci {
namespace {

using Problems = std::map<std::string_view, std::vector<const CascadeSample*>>;

Problems by_problem(std::span<const CascadeSample> samples) {
  Problems problems;
  for (const auto& sample : samples) problems[sample.problem].push_back(&sample);
  return problems;
}

std::optional<double> rate_of(const Problems& problems, Stage stage, std::size_t k) {
  double sum = 0;
  for (const auto& [name, samples] : problems) {
    if (samples.size() < k) return std::nullopt;
    const auto passed = std::count_if(samples.begin(), samples.end(),
                                      [&](const auto* sample) { return sample->passed >= stage; });
    sum += pass_at_k(samples.size(), static_cast<std::size_t>(passed), k);
  }
  if (problems.empty()) return std::nullopt;
  return sum / static_cast<double>(problems.size());
}

}  // namespace

std::string_view short_name(Stage stage) {
  switch (stage) {
    case Stage::none:
      return "";
    case Stage::syntax:
      return "STX";
    case Stage::degeneracy:
      return "DEG";
    case Stage::function:
      return "FNC";
    case Stage::generalisation:
      return "GEN";
  }
  return "";
}

double pass_at_k(std::size_t n, std::size_t passed, std::size_t k) {
  assert(1 <= k && k <= n && passed <= n);
  if (n - passed < k) return 1;
  // C(n-c, k) / C(n, k) as a product of ratios, none of which overflows.
  double all_fail = 1;
  for (std::size_t i = n - passed + 1; i <= n; ++i)
    all_fail *= 1 - static_cast<double>(k) / static_cast<double>(i);
  return 1 - all_fail;
}

CascadeRates cascade_rates(std::span<const CascadeSample> samples, std::size_t k) {
  const auto problems = by_problem(samples);
  CascadeRates rates{.problems = problems.size(),
                     .samples = samples.size(),
                     .syntax = rate_of(problems, Stage::syntax, k),
                     .degeneracy = rate_of(problems, Stage::degeneracy, k),
                     .function = rate_of(problems, Stage::function, k)};
  const bool all_tried = std::all_of(samples.begin(), samples.end(), [](const auto& sample) {
    return sample.passed != Stage::function || sample.tried_generalisation;
  });
  for (const auto& sample : samples) {
    rates.tried += sample.tried_generalisation;
    rates.generalised += sample.tried_generalisation && sample.passed == Stage::generalisation;
  }
  if (all_tried) rates.generalisation = rate_of(problems, Stage::generalisation, k);
  return rates;
}

}  // namespace msci
