// The strict verdict, beside the recorded one: a kernel runs on its task's stress problem, and its
// results are compared with an answer in double precision. The tolerance is the error of the task's
// own seed kernel times a factor; docs/strict_verdict.md explains the design.
#pragma once

#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/task.h"
#include "runtime/device/device.h"

namespace msci {

// The origin of a task's strict tolerances.
struct Derivation {
  struct OfSize {
    std::string label;
    std::vector<double> errors;  // the seed kernel's, for the nonces 1, 2, 3, ...
    double tolerance = 0;        // the largest of them times the factor
    bool operator==(const OfSize&) const = default;
  };
  // A declared size with the recorded inputs, judged by the recorded verdict's measure.
  struct OfRecorded {
    std::string label;
    double error = 0;  // the seed kernel's
    bool operator==(const OfRecorded&) const = default;
  };
  std::string device;  // where the seed ran
  double factor = 0;
  std::vector<OfSize> sizes;
  std::vector<OfRecorded> recorded = {};  // none for a task whose recorded verdict is statistical

  std::optional<double> tolerance_of(std::string_view size_label) const;
  double tolerance_elsewhere() const;  // at random sizes, which are larger
  // The largest error at a declared size that rounding explains; `recorded`: the recorded
  // tolerance, of which a thousandth is always allowed.
  std::optional<double> recorded_tolerance(std::string_view label, double recorded) const;
  bool operator==(const Derivation&) const = default;
};

// Runs the task's seed kernel for the first `nonces` nonces at each stress size. Errors: ours, and
// a seed that does not run, or whose error is implausibly large.
Result<Derivation> derive(const Task& task, const Translation& seed, Device& device,
                          unsigned nonces = 8);

// The seed's errors at all declared sizes with the recorded inputs; they take minutes. Errors:
// those of derive().
Result<std::vector<Derivation::OfRecorded>> derive_recorded(const Task& task,
                                                            const Translation& seed,
                                                            Device& device);

// Pretty JSON that ends in a line break; same derivation, same bytes.
std::string to_json(const Derivation& derivation);
// Errors: no such JSON.
Result<Derivation> derivation_from(std::string_view json);

// The error of `got`: the largest difference in any result, each relative to
// that result's largest expected magnitude. NaN where a compared value is NaN.
double strict_error(const std::vector<Expected>& expected, const Outputs& got);

// The elements of the first result that is beyond the tolerance, named as `plan` names its results.
// None if all are within it. Expects that no result holds a further error (Stress::check).
std::optional<Differences> strict_differences(const Plan& plan,
                                              const std::vector<Expected>& expected,
                                              const Outputs& got, double tolerance);

// The same with what the task's check says. Errors: those of the task's reference and check.
Result<double> stress_error(const Task& task, const Size& size, Key key,
                            const Result<std::vector<Expected>>& expected, const Outputs& got);

// The stress size number `count` of the run of that nonce: "fuzz 1 (n 4711)".
Size fuzz_size(const Task& task, std::uint64_t nonce, unsigned count);

// Further sizes of every strict verdict, drawn with the nonce so that no kernel can know them: a
// small one, any one, a declared one, the held-out one and one beyond all of them, the last three
// with few steps. Leaves out declared sizes that take too long. Labelled "drawn 1 (n 37)".
std::vector<Size> drawn_sizes(const Task& task, std::uint64_t nonce);

// The right results of a stress size.
using StressReference = std::shared_future<Result<std::vector<Expected>>>;
// Computes them in a thread of its own, beside the device.
StressReference start_reference(const Task& task, const Size& size, Key key);

// The run of one stress size.
struct StressRun {
  double error = 0;                        // the worse of two passes, each with other poison
  std::optional<Differences> differences;  // of that pass, if its error is beyond the tolerance
  std::vector<std::string> overruns;       // as in Run
  std::vector<std::string> changed_inputs;
  Plan plan;                         // that ran
  std::vector<LaunchCounts> counts;  // where its execution asks for them
};
// `reference`: of that size and key; `tolerance`: which elements to tell apart. Errors: ours, and
// those of stress_error().
Result<Attempt<StressRun>> run_stress(const Task& task, const Size& size, Key key,
                                      const StressReference& reference,
                                      const Translation& translation, Program& program,
                                      const Execution& execution, double tolerance);

}  // namespace msci
