// What makes timed passes trustworthy: inputs and junk that change from pass to pass, the
// comparison of each pass with one that is not timed, and of that one with the right answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "evaluator/measure/strict_error.h"
#include "tasks/plan/task.h"

namespace msci {

// Whether timed passes of a plan with these inputs have other contents, too.
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
  // other contents where the task has no stress problem, and where the inputs are so large that no
  // memory beside the buffers could keep the results. The results of the stress problem follow the
  // plan's own.
  void prepare(const Translation& translation, Plan& plan);

  // Why a timed pass of a prepared plan is wrong: its results fail the recorded verdict, or, with
  // other inputs, are not those of the untimed pass; or the untimed pass with one of the random
  // inputs is not right in double precision, with all its steps. Which of them is drawn after the
  // first run, so that each pass may be the one. None if all are right. `expected`: of the plan's
  // own inputs; `most_error`: the largest error of the recorded verdict's kind, if less than its
  // tolerance. Errors: those of Task::judge and of the task's reference.
  Result<std::optional<std::string>> find_wrong(const Plan& plan, const Bytes& expected,
                                                const Run& run,
                                                std::optional<double> most_error = std::nullopt);

 private:
  using Wrong = std::optional<std::string>;

  Key key_of_variant(std::size_t variant) const;
  void add_results(const Plan& stress, Plan& plan);
  Result<Wrong> judge_recorded(const Bytes& expected, const Outputs& outputs,
                               std::optional<double> most_error) const;
  Result<Wrong> find_deviation(const Plan& plan, const Bytes& expected, const Run& run,
                               std::optional<double> most_error) const;
  Result<Wrong> judge_random(const Run& run);

  const Task& task_;
  const Size& size_;
  std::uint64_t nonce_;
  std::vector<std::size_t> random_results_;  // the stress problem's, by their places in a run's
  std::optional<std::size_t> judged_;        // the variant; none before the first run
  StressReference reference_;                // of that variant
};

}  // namespace msci
