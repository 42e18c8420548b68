#include "evaluator/forms/other_form.h"

#include <fmt/format.h>

#include "evaluator/explain_failures.h"

namespace msci {

const char* OtherForm::adjective() const {
  return purpose_ == TranslationPurpose::checking ? "checked" : "profiled";
}

OtherForm::Built OtherForm::build() {
  using BuiltProgram = Attempt<std::unique_ptr<Program>>;
  const auto lacks = [](std::string why) {
    return BuiltProgram{Failure{Failure::Cause::build, std::move(why)}};
  };
  if (!candidate_.prepare_as)
    return lacks(fmt::format("a translated program has no {} form", adjective()));
  auto prepared = candidate_.prepare_as(purpose_);
  if (!prepared) return prepared.error();
  if (!prepared->translation)
    return lacks(fmt::format("its {} form is refused: {}", adjective(), prepared->rejection));
  translation_ = *std::move(prepared->translation);
  auto built = device_.build(*translation_);
  const auto* failure = built ? std::get_if<Failure>(&*built) : nullptr;
  if (!failure) return built;
  if (auto error = blame_device(*failure)) return *std::move(error);
  return lacks(fmt::format("its {} form does not build: {}", adjective(), failure->message));
}

Result<Attempt<Program*>> OtherForm::program() {
  if (!built_) built_ = build();
  if (!*built_) return built_->error();
  if (const auto* failure = std::get_if<Failure>(&**built_)) return Attempt<Program*>{*failure};
  return Attempt<Program*>{std::get<std::unique_ptr<Program>>(**built_).get()};
}

std::optional<Error> OtherForm::blame_device(const Failure& failure) const {
  return msci::blame_device(failure, purpose_ == TranslationPurpose::checking ? "check" : "profile",
                            candidate_.name);
}

}  // namespace msci
