// The checked form of a candidate, for the checked runs of its strict verdict.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "evaluator/forms/other_form.h"

namespace msci {

class CheckedForm {
 public:
  // Both must outlive it. Translates and builds when the first plan is to run.
  CheckedForm(const Candidate& candidate, SharedDevice& checker)
      : checker_(checker), form_(candidate, TranslationPurpose::checking, *checker.device) {}

  // The decisive faults of one pass. Nothing where the candidate
  // has no checked form, and where the pass fails as it does without checks. Errors are ours: also
  // that the pass dies or meets a limit, of which the device may be to blame.
  Result<std::vector<Diagnostic>> find_faults(const Plan& plan);

 private:
  SharedDevice& checker_;
  OtherForm form_;
};

}  // namespace msci
