// The strict verdict on a kernel (docs/concepts/strict_verdict.md), beside its Outcome.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/coverage/certificate.h"
#include "base/diagnostic.h"
#include "base/judging/nonce.h"
#include "evaluator/result/outcome.h"
#include "evaluator/result/size_result.h"

namespace msci {

class Fields;

// A kernel whose answer at a size depends on the order in which Metal may run it. Orders are
// spelled as in tasks/plan/execution.h.
struct OrderDependence {
  std::string size;
  std::string right;  // the order with the right answer
  std::string wrong;
  bool operator==(const OrderDependence&) const = default;
};

struct StrictResult {
  bool passed = false;      // all sizes are right, no buffer is overrun, nothing is at fault, and
                            // no checked run is missing
  std::string device = {};  // the name of the device on which the sizes ran
  std::uint64_t nonce = 0;  // gives the same inputs again
  std::vector<SizeResult> sizes;                    // in the worst order
  std::optional<OrderDependence> order_dependence;  // of the first such size
  std::vector<std::string> faults = {};             // that checked runs found
  std::vector<Diagnostic> findings = {};            // the same, with their places
  std::vector<std::string> irrelevant_parts;        // by ablation; do not count as wrong
  std::optional<std::string> not_checked = {};      // why a checked run could not be made
  // The first outcome of a condition that could not be reached, if there is one.
  std::optional<std::string> never_executed = {};
  // That leaves the verdict open, with --require-executed.
  std::optional<std::string> open_outcome = {};
  std::optional<Certificate> certificate = {};    // of a program whose runs record outcomes
  std::optional<std::string> not_certified = {};  // why its certificate could not be made
  // Outcomes of conditions that the wrong size alone has seen, likely causes first.
  std::vector<CertifiedOutcome> only_at_wrong_size = {};
  bool operator==(const StrictResult&) const = default;
};

// Whether one size of the stress problem passes.
inline bool is_strictly_right(const SizeResult& size) {
  return size.correct() && size.keeps_the_rules();
}

// Why the verdict is open: a checked run or the whole certificate could not be made, or code was
// never executed, and nothing else is wrong. None if the kernel passes or is wrong.
std::optional<std::string> why_undecided(const StrictResult& strict);

// Why the strict verdict refuses a kernel of a benchmark's task that the recorded one accepts: its
// own sizes, checked runs, timed passes, or recorded sizes with an error that rounding does not
// explain. None if it accepts it.
std::optional<std::string> strict_fail_reason(const Outcome& outcome,
                                              const std::optional<StrictResult>& strict);

void describe(Fields& field, OrderDependence& dependence);
void describe(Fields& field, CertifiedOutcome& outcome);
void describe(Fields& field, Certificate& certificate);
void describe(Fields& field, StrictResult& strict);

}  // namespace msci
