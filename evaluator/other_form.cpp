#include "evaluator/other_form.h"

namespace msci {

Result<Program*> OtherForm::program() {
  if (is_prepared_) return program_.get();
  is_prepared_ = true;
  if (!candidate_.prepare_as) return program_.get();
  auto prepared = candidate_.prepare_as(purpose_);
  if (!prepared || !prepared->translation) return program_.get();
  translation_ = *std::move(prepared->translation);
  auto built = device_.build(*translation_);
  if (!built) return built.error();
  if (auto* program = std::get_if<std::unique_ptr<Program>>(&*built))
    program_ = std::move(*program);
  return program_.get();
}

}  // namespace msci
