// The performance score: what candidates cost, against what a reference solution costs.
//
// With p a candidate's cost and g the reference's (lower is better), the score is 2 - p/g: 1 is as
// good as the reference, 2 the limit that nothing reaches, 0 twice the cost or more. A candidate
// that failed an earlier stage has 0, too.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// `cost` is none for a candidate that failed; a cost that is not a number, or negative, is one that
// failed as well. `golden` is finite and above 0: what costs nothing gives no ratio.
double performance_score(std::optional<double> cost, double golden);

// What one candidate costs in one kind: seconds, bytes of threadgroup memory, bytes of source.
struct CostSample {
  std::string kind;
  std::optional<double> cost;  // none: it failed
  double golden = 0;
};

struct PerformanceTotal {
  struct Kind {
    std::string name;
    std::size_t samples = 0;
    double score = 0;  // mean over its samples, in [0, 2]
    bool operator==(const Kind&) const = default;
  };
  std::vector<Kind> kinds;        // by name
  std::optional<double> percent;  // mean over the kinds; none without samples
  bool operator==(const PerformanceTotal&) const = default;
};

PerformanceTotal performance_total(std::span<const CostSample> samples);

// The cascade: which share of samples passes each stage, as pass@k.
//
// Each stage sees only what passed the one before, so the rates fall from left to right. pass@k is
// the chance that at least one of k samples of a problem passes, by the unbiased estimator
// 1 - C(n-c, k) / C(n, k) of Chen et al. ("Evaluating Large Language Models Trained on Code",
// 2021). Rates are means over problems. Benchmarks joined by their number of problems give the same
// as all their problems at once, so a total is simply the rate of everything.

// The last stage that a sample passed.
enum class Stage { none, syntax, degeneracy, function, generalisation };

// "STX"; Stage::none has no name.
std::string_view short_name(Stage stage);

// One candidate for one problem.
struct CascadeSample {
  std::string problem;
  Stage passed = Stage::none;
  bool tried_generalisation = true;  // else a correct one may or may not have passed it
};

// The chance that k of the n samples, of which `passed` passed, hold one that passed. Needs
// 1 <= k <= n and passed <= n.
double pass_at_k(std::size_t n, std::size_t passed, std::size_t k);

struct CascadeRates {
  std::size_t problems = 0;
  std::size_t samples = 0;
  // In [0, 1]; none without samples, or where some problem has fewer than k of them.
  std::optional<double> syntax, degeneracy, function;
  std::optional<double> generalisation;  // none, too, where a correct sample was not tried
  std::size_t tried = 0;                 // samples that were tried for generalisation
  std::size_t generalised = 0;           // those of them that passed
  bool operator==(const CascadeRates&) const = default;
};

CascadeRates cascade_rates(std::span<const CascadeSample> samples, std::size_t k = 1);

// Ratios of two measurements, and what may be odd about one.

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
