// Session -> Evaluation: the recorded verdict, the times and the strict verdict of one kernel.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/files/cache.h"
#include "base/judging/timing_protocol.h"
#include "engine/device/device.h"
#include "evaluator/measure/roofline.h"
#include "evaluator/result/outcome.h"
#include "evaluator/result/phase_times.h"
#include "evaluator/result/size_result.h"
#include "evaluator/result/strict_result.h"
#include "evaluator/session/profiled_program.h"
#include "evaluator/session/session.h"
#include "evaluator/strict/judge_strictly.h"
#include "tasks/plan/task.h"

namespace msci {

// The benchmark's own protocol.
constexpr Repeats metal_sci = {.warmup = 3, .timed = 10};
// How stand-alone benchmarks time a kernel.
constexpr Repeats benchmark = {.warmup = 5, .timed = 50};
// Warm by time, then until the mean is known to half a per cent, within a second.
constexpr Repeats steady = {.warmup = 3, .timed = 10, .warmup_seconds = 0.1, .timed_seconds = 1};

// How often passes are timed.
Repeats repeats_of(TimingProtocol protocol);

// How much of a task is evaluated.
struct EvaluationOptions {
  Repeats repeats = metal_sci;
  bool held_out = false;  // the task's held-out size too, once all others are right
  // Leave out what cannot help the kernel any more: the sizes after the first that is not right,
  // and the rounds of a comparison that cannot show it to be faster.
  bool stop_at_wrong = false;
  // With a nonce, kernels that are right get a strict verdict; its inputs depend on the nonce.
  std::optional<std::uint64_t> strict_nonce = std::nullopt;
  StrictOptions strict = {};
  // For the checked runs of a candidate's strict verdict, and with `strict.thorough` for all of its
  // runs: what passes there runs on the session's device.
  Device* processor = nullptr;
  Execution execution = {};  // of the recorded verdict and the timing
  // Predicts the times of sessions that count, from the judged runs.
  const Predictor* predictor = nullptr;
};

// The surroundings of an evaluation; `ceilings` may be missing where nothing is timed.
struct EvaluationContext {
  Device& device;
  std::optional<Ceilings> ceilings;
  Cache& cache;
  std::function<void(std::string_view size)> begins_size = nullptr;  // called before each size
  // Measures ceilings again beside the kernels, and has the current ones; null: `ceilings` stand.
  std::shared_ptr<CeilingGauge> gauge = nullptr;
};

struct Evaluation {
  Outcome outcome;
  // None unless requested and the outcome is right, or unless it refuses the kernel on the
  // processor.
  std::optional<StrictResult> strict;
  // Whether the outcome is of runs on the processor, because the kernel fails there.
  bool is_of_processor = false;
  PhaseTimes times;
  std::optional<Ceilings> ceilings;  // the device's, as measured in the end; none without timing
};

// The recorded verdict of a session, then the strict one. Errors are ours, never the kernel's: the
// device lacks memory, the driver is broken.
Result<Evaluation> evaluate(Session& session, const EvaluationContext& context,
                            const EvaluationOptions& options);

// The same of a program that was translated before.
Result<Evaluation> evaluate(const Task& task, const Translation& translation,
                            const EvaluationContext& context, const EvaluationOptions& options);

// The times of a task's sizes against the device's ceilings, which may have to be measured again.
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
