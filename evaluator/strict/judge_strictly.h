// The strict verdict on a program: the stress problem in several orders, random and drawn sizes,
// checked runs, and the ablation of launches and inputs (docs/concepts/strict_verdict.md).
#pragma once

#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "analysis/coverage/certificate.h"
#include "base/diagnostic.h"
#include "engine/device/device.h"
#include "evaluator/result/strict_result.h"
#include "tasks/plan/task.h"

namespace msci {

// Runs plans with the checked form of the kernel that is being judged (checked_run.h). A Failure
// says why the kernel cannot be checked. Errors are ours.
struct FoundFaults {
  std::vector<Diagnostic> decisive;  // that make the kernel wrong
  bool has_other_race =
      false;  // between a write and a read of a buffer, whose value may not matter
};

class PlanChecker {
 public:
  virtual ~PlanChecker() = default;
  // Translates and builds that form. The thread that judges calls it before another thread calls
  // find_faults(): the process that runs the form dies with the thread that started it.
  virtual Result<Attempt<std::monostate>> prepare() = 0;
  // The faults of one pass.
  virtual Result<Attempt<FoundFaults>> find_faults(const Plan& plan) = 0;
};

// What the strict verdict looks at beside the stress problem.
struct StrictOptions {
  unsigned fuzz_sizes = 0;  // further random sizes
  // Sizes drawn with the nonce, among them declared ones and larger ones; and a smaller error at
  // the recorded sizes.
  bool thorough = false;
  bool refuses_unexecuted = false;  // of conditions: outcomes that no judged run has seen
  // Makes the certificate of a translation that records outcomes; null: it records none.
  std::function<Result<Certificate>(const Translation&, const OutcomeRecords&)> certify = nullptr;
  PlanChecker* checker = nullptr;  // for checked runs at the stress sizes; null: none
};

// Independent of the recorded verdict. Errors: those of evaluate(), and a task without a
// derivation. `device`: of the program.
Result<StrictResult> judge_strictly(const Task& task, const Translation& translation,
                                    const DeviceInfo& device, Program& program, std::uint64_t nonce,
                                    const StrictOptions& options = {});

}  // namespace msci
