// The checked form of a candidate, for the checked runs of its strict verdict.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "evaluator/evaluate.h"
#include "evaluator/forms/other_form.h"

namespace msci {

class CheckedForm : public PlanChecker {
 public:
  // Both must outlive it.
  CheckedForm(const Candidate& candidate, SharedDevice& checker)
      : checker_(checker), form_(candidate, TranslationPurpose::checking, *checker.device) {}

  Result<Attempt<std::monostate>> prepare() override;
  // Errors: also that the pass dies or meets a limit, for which the device may be to blame.
  Result<Attempt<std::vector<Diagnostic>>> find_faults(const Plan& plan) override;

 private:
  SharedDevice& checker_;
  OtherForm form_;
};

}  // namespace msci
