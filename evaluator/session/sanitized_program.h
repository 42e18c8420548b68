// The candidate with checks, for the checked runs of its strict verdict.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "evaluator/session/session.h"
#include "evaluator/strict/judge_strictly.h"

namespace msci {

class SanitizedProgram : public PlanChecker {
 public:
  // Both must outlive it.
  SanitizedProgram(const Candidate& candidate, Device& checker)
      : session_(candidate, TranslationPurpose::checking, checker) {}

  Result<Attempt<std::monostate>> prepare() override;
  // Errors: also that the pass dies or meets a limit, for which the device may be to blame.
  Result<Attempt<FoundFaults>> find_faults(const Plan& plan) override;

 private:
  Session session_;
};

}  // namespace msci
