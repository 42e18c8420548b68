#include "evaluator/checked_form.h"

#include "evaluator/checked_run.h"

namespace msci {

Result<Program*> CheckedForm::program() {
  if (is_prepared_) return program_.get();
  is_prepared_ = true;
  if (!candidate_.prepare_checked) return program_.get();
  auto prepared = candidate_.prepare_checked();
  if (!prepared || !prepared->translation) return program_.get();
  translation_ = *std::move(prepared->translation);
  auto built = checker_.device->build(*translation_);
  if (!built) return built.error();
  if (auto* program = std::get_if<std::unique_ptr<Program>>(&*built))
    program_ = std::move(*program);
  return program_.get();
}

Result<std::vector<std::string>> CheckedForm::find_faults(const Plan& plan) {
  const std::lock_guard lock(checker_.mutex);
  std::vector<std::string> found;
  const auto program = this->program();
  if (!program) return program.error();
  if (!*program) return found;
  const auto ran = (*program)->run(plan, verify_only);
  if (!ran) return ran.error();
  const auto* run = std::get_if<Run>(&*ran);
  if (!run) return found;
  for (const auto& fault : run->faults)
    if (is_decisive(fault, *translation_))
      found.push_back(one_line(describe(fault, *translation_), candidate_.name));
  return found;
}

}  // namespace msci
