// What makes timed passes trustworthy: inputs and junk that change from pass to pass, the
// comparison of each pass with one that is not timed, and of that one with the right answer.
#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/device/device.h"
#include "tasks/plan/task.h"

namespace msci {

// How far the results of a stress problem are from their answer in double precision.

// The error of `got`: the largest difference in any result, each relative to
// that result's largest expected magnitude. NaN where a compared value is NaN.
double strict_error(const std::vector<Expected>& expected, const Outputs& got);

// The elements of the first result that is beyond the tolerance, named as `plan` names its results.
// None if all are within it. Expects that no result holds a further error (Stress::check).
std::optional<Differences> strict_differences(const Plan& plan,
                                              const std::vector<Expected>& expected,
                                              const Outputs& got, double tolerance);

// The elements of the first result that is beyond the tolerance, for people.
struct WrongElements {
  std::size_t result = 0;          // its number among the plan's results
  std::vector<double> errors;      // of each element, in units of what is allowed; NaN of a NaN
  std::vector<std::string> first;  // "y[3] is 7, not 8": the first few that are wrong
};
// The wrong elements of the first result that has any; none if all are within the tolerance.
std::optional<WrongElements> wrong_elements(const Plan& plan, const std::vector<Expected>& expected,
                                            const Outputs& got, double tolerance);

// The same with what the task's check says. Errors: those of the task's reference and check.
Result<double> stress_error(const Task& task, const Size& size, Key key,
                            const Result<std::vector<Expected>>& expected, const Outputs& got);

// The right results of a stress size.
using StressReference = std::shared_future<Result<std::vector<Expected>>>;
// Computes them in a thread of its own, beside the device.
StressReference start_reference(const Task& task, const Size& size, Key key);

// Whether timed passes of a plan with these inputs have other contents, too: memory has room for
// them.
bool is_timed_with_random_inputs(const Plan& plan);

// The timed passes of one size, for one nonce.
class TimedPasses {
 public:
  // The task and the size must outlive it.
  TimedPasses(const Task& task, const Size& size, std::uint64_t nonce)
      : task_(task), size_(size), nonce_(nonce) {}

  // Fills the memory beside the buffers with random bytes, and gives the plan's inputs other
  // contents for some of the timed passes: those of the task's stress problem, drawn with the
  // nonce. In these passes, buffers that are not inputs hold junk, as in the stress problem. No
  // other contents where the task has no stress problem. The results of the stress problem follow
  // the plan's own. An Error says why no reference can judge passes with random inputs, so that
  // there is no time: memory has no room for them, the plan cannot be made, or there is no
  // tolerance.
  [[nodiscard]] std::optional<Error> prepare(const Translation& translation, Plan& plan);

  // Why a timed pass of a prepared plan is wrong: its results fail the recorded verdict, or, with
  // other inputs, are not those of the untimed pass; or the untimed pass with any of the random
  // inputs is not right in double precision, with all its steps. So a reference has judged the
  // inputs of each pass whose time counts. None if all are right. `expected`: of the plan's
  // own inputs; `most_error`: the largest error of the recorded verdict's kind, if less than its
  // tolerance. Errors: those of Task::judge and of the task's reference.
  Result<std::optional<std::string>> find_wrong(const Plan& plan, const Bytes& expected,
                                                const Run& run,
                                                std::optional<double> most_error = std::nullopt);

 private:
  using Wrong = std::optional<std::string>;

  Key key_of_variant(std::size_t variant) const;
  Error not_judged(std::string_view why) const;
  void add_results(const Plan& stress, Plan& plan);
  Result<Wrong> judge_recorded(const Bytes& expected, const Outputs& outputs,
                               std::optional<double> most_error) const;
  Result<Wrong> find_deviation(const Plan& plan, const Bytes& expected, const Run& run,
                               std::optional<double> most_error) const;
  const StressReference& reference_for(std::size_t variant);
  Result<Wrong> judge_random(const Run& run);
  Result<Wrong> judge_random(const VariantOutputs& pass);

  const Task& task_;
  const Size& size_;
  std::uint64_t nonce_;
  std::vector<std::size_t> random_results_;  // the stress problem's, by their places in a run's
  double tolerance_ = 0;                     // of random inputs
  std::map<std::size_t, StressReference> references_;  // by variant, once a pass has drawn it
};

// The strict tolerances of a task, and the errors of its seed kernel that they follow from
// (docs/concepts/strict_verdict.md).

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
  // Declared sizes with random inputs and all steps, where timed passes have such inputs.
  std::vector<OfSize> whole = {};
  std::vector<OfRecorded> recorded = {};  // none for a task whose recorded verdict is statistical

  std::optional<double> tolerance_of(std::string_view size_label) const;
  // At random sizes, which are larger; with as many steps as declared sizes or with few.
  double tolerance_elsewhere(bool has_all_steps = false) const;
  // At a declared size with random inputs and all steps; where none was derived, that of random
  // sizes.
  double whole_tolerance(std::string_view size_label) const;
  // The largest error at a declared size that rounding explains; `recorded`: the recorded
  // tolerance, of which a thousandth is always allowed.
  std::optional<double> recorded_tolerance(std::string_view label, double recorded) const;
  bool operator==(const Derivation&) const = default;
};

// Pretty JSON that ends in a line break; same derivation, same bytes.
std::string to_json(const Derivation& derivation);
// Errors: no such JSON.
Result<Derivation> derivation_from(std::string_view json);

}  // namespace msci
