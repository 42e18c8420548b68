// Task x Translation x Device -> Outcome: the only loop that runs and judges kernels.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/files/cache.h"
#include "base/judging/timing_protocol.h"
#include "evaluator/measure/ceiling_gauge.h"
#include "evaluator/measure/roofline.h"
#include "evaluator/result/outcome.h"
#include "evaluator/result/phase_times.h"
#include "evaluator/result/strict_result.h"
#include "instrument/profile/chip.h"
#include "plan/task.h"
#include "runtime/device/device.h"

namespace msci {

// The benchmark's own protocol.
constexpr Repeats metal_sci = {.warmup = 3, .timed = 10};
// Of a stand-alone benchmark.
constexpr Repeats benchmark = {.warmup = 5, .timed = 50};
// Warm by time, then until the mean is known to half a per cent, within a second.
constexpr Repeats steady = {.warmup = 3, .timed = 10, .warmup_seconds = 0.1, .timed_seconds = 1};

// How often passes are timed.
Repeats repeats_of(TimingProtocol protocol);

// Runs plans with the checked form of the kernel that is being judged (checked_run.h). A Failure
// says why the kernel cannot be checked. Errors are ours.
class PlanChecker {
 public:
  virtual ~PlanChecker() = default;
  // Translates and builds that form. The thread that judges calls it before another thread calls
  // find_faults(): the process that runs the form dies with the thread that started it.
  virtual Result<Attempt<std::monostate>> prepare() = 0;
  // The faults of one pass that make the kernel wrong.
  virtual Result<Attempt<std::vector<Diagnostic>>> find_faults(const Plan& plan) = 0;
};

// What the strict verdict looks at beside the stress problem.
struct Scrutiny {
  unsigned fuzz_sizes = 0;  // further random sizes
  // Sizes drawn with the nonce, among them declared ones and larger ones; and a smaller error at
  // the recorded sizes.
  bool thorough = false;
  PlanChecker* checker = nullptr;  // for checked runs at the stress sizes; null: none
};

// How much of a task is evaluated.
struct Protocol {
  Repeats repeats = metal_sci;
  bool held_out = false;  // the task's held-out size too, once all others are right
  // Leave out what cannot help the kernel any more: the sizes after the first that is not right,
  // and the rounds of a comparison that cannot show it to be faster.
  bool stop_at_wrong = false;
  // With a nonce, kernels that are right get a strict verdict; its inputs depend on the nonce.
  std::optional<std::uint64_t> strict_nonce = std::nullopt;
  Scrutiny scrutiny = {};
  Execution execution = {};    // of the recorded verdict and the timing
  const Chip* chip = nullptr;  // to predict times on, from profiles; the translation counts
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
  std::optional<StrictResult> strict;  // none unless requested and the outcome is right
  PhaseTimes times;
  std::optional<Ceilings> ceilings;  // the device's, as measured in the end; none without timing
};

// Why a Metal host could not build its pipelines; none if it could. Ignores kernels that the task
// does not use.
std::optional<Rejected> refuse_pipelines(const Task& task, const Translation& translation);

// Errors are ours, never the kernel's: the device lacks memory, the driver is broken.
Result<Evaluation> evaluate(const Task& task, const Translation& translation,
                            const EvaluationContext& context, Protocol protocol);

// The strict verdict alone, independent of the recorded one. Errors: those of evaluate(), and a
// task without a derivation. `device`: of the program.
Result<StrictResult> judge_strictly(const Task& task, const Translation& translation,
                                    const DeviceInfo& device, Program& program, std::uint64_t nonce,
                                    const Scrutiny& scrutiny = {});

}  // namespace msci
