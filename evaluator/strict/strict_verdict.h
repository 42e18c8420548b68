// The strict verdict, beside the recorded one: a kernel runs on its task's stress problem, and its
// results are compared with an answer in double precision. The tolerance is the error of the task's
// own seed kernel times a factor; docs/concepts/strict_verdict.md explains the design.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/device/device.h"
#include "evaluator/measure/timed_passes.h"
#include "tasks/plan/task.h"

namespace msci {

// Runs the task's seed kernel for the first `nonces` nonces at each stress size. Errors: ours, and
// a seed that does not run, or whose error is implausibly large.
Result<Derivation> derive(const Task& task, const Translation& seed, Device& device,
                          unsigned nonces = 8);

// The seed's errors at all declared sizes with the recorded inputs; they take minutes. Errors:
// those of derive().
Result<std::vector<Derivation::OfRecorded>> derive_recorded(const Task& task,
                                                            const Translation& seed,
                                                            Device& device);

// The seed's errors at the declared sizes with random inputs and all steps; they take minutes.
// Errors: those of derive().
Result<std::vector<Derivation::OfSize>> derive_whole(const Task& task, const Translation& seed,
                                                     Device& device, unsigned nonces = 4);

// Two passes with other poison, so that state that a kernel keeps from the first shows in the
// second.
constexpr Repeats two_passes = {.warmup = 0, .timed = 1};

// The run of one stress size.
struct StressRun {
  double error = 0;                        // the worst of its passes
  std::optional<Differences> differences;  // of that pass, if its error is beyond the tolerance
  std::vector<std::string> overruns;       // as in Run
  std::vector<std::string> changed_inputs;
  Plan plan;                         // that ran
  std::vector<LaunchCounts> counts;  // where its execution asks for them
};
// `plan` and `reference`: of that size and key; `tolerance`: which elements to tell apart. Errors:
// ours, and those of stress_error().
Result<Attempt<StressRun>> run_stress(const Task& task, const Size& size, Key key,
                                      Result<Plan> plan, const StressReference& reference,
                                      Program& program, const Execution& execution, Repeats repeats,
                                      double tolerance);

}  // namespace msci
