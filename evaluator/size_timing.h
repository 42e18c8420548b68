// The times of a task's sizes against the device's ceilings, which may have to be measured again.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/evaluate.h"
#include "evaluator/result/size_result.h"
#include "tasks/plan/task.h"

namespace msci {

class SizeTiming {
 public:
  SizeTiming(const Task& task, const EvaluationContext& context);

  // Runs the size once more.
  using RunAgain = std::function<Result<Attempt<Run>>()>;
  // The timing of passes of that many seconds; none where nothing was timed. The time of a right
  // kernel that exceeds its ceiling is measured again, and so is the ceiling; a failure of the
  // second run is returned. `plan`: of the size.
  Result<Attempt<std::optional<Timing>>> time(const Size& size, const Plan& plan,
                                              const std::vector<double>& seconds, bool is_right,
                                              const RunAgain& run_again);
  // Sets what follows from the ceiling again: it may have been too low when the size was timed.
  void relate(SizeResult& size) const;

  // The device's, as they were measured until now; none without timing.
  const std::optional<Ceilings>& ceilings() const { return ceilings_; }

 private:
  std::optional<Timing> timing_of(const Size& size, std::size_t working_set,
                                  const std::vector<double>& seconds) const;
  bool is_gauged() const;
  [[nodiscard]] std::optional<Error> doubt_ceiling(std::size_t working_set, Timing& timing);
  void relate(Timing& timing, std::size_t working_set) const;
  std::string why_above() const;

  const Task& task_;
  const EvaluationContext& context_;
  std::optional<Ceilings> ceilings_;
  std::map<std::string, std::size_t> working_sets_;  // of timed sizes, by label
};

// Detects a forged clock, and work that was not done: no cache exceeds a ceiling by that much.
[[nodiscard]] std::optional<Failure> impossible_time(const std::optional<Timing>& timing);

}  // namespace msci
