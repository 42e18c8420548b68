#include "evaluator/forms/checked_form.h"

#include "evaluator/checked_run.h"

namespace msci {

Result<std::vector<Diagnostic>> CheckedForm::find_faults(const Plan& plan) {
  const std::lock_guard lock(checker_.mutex);
  std::vector<Diagnostic> found;
  const auto program = form_.program();
  if (!program) return program.error();
  if (!*program) return found;
  const auto ran = (*program)->run(plan, verify_only);
  if (!ran) return ran.error();
  const auto* run = std::get_if<Run>(&*ran);
  if (!run) {
    // A verdict without its checked runs would hold less than it says.
    if (auto error = form_.blame_device(std::get<Failure>(*ran))) return *std::move(error);
    return found;
  }
  for (const auto& fault : run->faults)
    if (is_decisive(fault, form_.translation()))
      found.push_back(describe(fault, form_.translation()));
  return found;
}

}  // namespace msci
