#include "evaluator/forms/other_form.h"

#include "evaluator/explain_failures.h"

namespace msci {

Result<Program*> OtherForm::program() {
  if (is_prepared_) return program_.get();
  is_prepared_ = true;
  if (!candidate_.prepare_as) return program_.get();
  auto prepared = candidate_.prepare_as(purpose_);
  if (!prepared) return prepared.error();
  if (!prepared->translation) return program_.get();
  translation_ = *std::move(prepared->translation);
  auto built = device_.build(*translation_);
  if (!built) return built.error();
  if (auto* program = std::get_if<std::unique_ptr<Program>>(&*built))
    program_ = std::move(*program);
  else if (auto error = blame_device(std::get<Failure>(*built)))
    return *std::move(error);
  return program_.get();
}

std::optional<Error> OtherForm::blame_device(const Failure& failure) const {
  return msci::blame_device(failure, purpose_ == TranslationPurpose::checking ? "check" : "profile",
                            candidate_.name);
}

}  // namespace msci
