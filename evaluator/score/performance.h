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

}  // namespace msci
