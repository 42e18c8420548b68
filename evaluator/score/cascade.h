// The cascade: which share of samples passes each stage, as pass@k.
//
// Each stage sees only what passed the one before, so the rates fall from left to right. pass@k is
// the chance that at least one of k samples of a problem passes, by the unbiased estimator
// 1 - C(n-c, k) / C(n, k) of Chen et al. ("Evaluating Large Language Models Trained on Code",
// 2021). Rates are means over problems. Benchmarks joined by their number of problems give the same
// as all their problems at once, so a total is simply the rate of everything.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace msci {

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

}  // namespace msci
