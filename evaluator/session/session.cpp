#include "evaluator/session/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "tasks/plan/bindings.h"

namespace msci {
namespace {

std::string names_of(const std::vector<KernelSignature>& kernels) {
  std::string names;
  for (const auto& kernel : kernels) names += (names.empty() ? "" : ", ") + kernel.name;
  return names.empty() ? "none" : names;
}

// Why we cannot translate a kernel of the task; null if we can.
const RefusedKernel* find_untranslated(const Task& task, const Translation& translation) {
  for (const auto& contract : task.kernels)
    if (const auto* refused = translation.find_refused(contract.name)) return refused;
  return nullptr;
}

}  // namespace

std::optional<Error> blame_device(const std::optional<Failure>& failure, std::string_view doing,
                                  std::string_view name) {
  if (!failure || !may_be_the_devices(*failure)) return std::nullopt;
  return Error{fmt::format("could not {} {}: {}", doing, name, failure->message)};
}

std::optional<Rejected> refuse_pipelines(const Task& task, const Translation& translation) {
  for (const auto& contract : task.kernels) {
    const auto* kernel = translation.find(contract.name);
    if (!kernel)
      return Rejected{Rejected::Stage::pipeline,
                      fmt::format("kernel {} not found; the source has: {}", contract.name,
                                  names_of(translation.kernels)),
                      true};
    if (const auto failure = refuse_pipeline(*kernel))
      return Rejected{Rejected::Stage::pipeline, failure->message};
  }
  if (task.plan_file.empty()) return std::nullopt;
  if (auto reason = find_short_value(task, translation))
    return Rejected{Rejected::Stage::pipeline, *std::move(reason)};
  return std::nullopt;
}

std::vector<Diagnostic> diagnostics_for(const Compiled& compiled, const Task* task) {
  if (!task || !compiled.translation) return compiled.diagnostics;
  const auto is_launched = [&](const std::string& kernel) {
    return std::ranges::find(task->kernels, kernel, &KernelContract::name) != task->kernels.end();
  };
  std::vector<Diagnostic> told;
  for (std::size_t i = 0; i < compiled.diagnostics.size(); ++i) {
    const bool is_about_all =
        i >= compiled.kernels_of_diagnostics.size() || compiled.kernels_of_diagnostics[i].empty();
    if (is_about_all || std::ranges::any_of(compiled.kernels_of_diagnostics[i], is_launched))
      told.push_back(compiled.diagnostics[i]);
  }
  return told;
}

const Result<Compiled>& Session::compiled() {
  if (purpose_ == candidate_->purpose) return candidate_->compiled;
  if (!compiled_) compiled_ = candidate_->compile_for(purpose_, {});
  return *compiled_;
}

const Translation* Session::translation() {
  if (!candidate_) return translation_;
  const auto& made = compiled();
  return made && made->translation ? &*made->translation : nullptr;
}

const Session::Opened& Session::open() {
  if (!opened_) opened_ = build();
  return *opened_;
}

std::optional<std::variant<Rejected, Error>> Session::refusal() {
  if (candidate_) {
    const auto& made = compiled();
    if (!made) return made.error();
    if (!made->translation) return Rejected{Rejected::Stage::compile, made->rejection};
  }
  if (is_beside_) return std::nullopt;
  if (!task_) return Rejected{Rejected::Stage::pipeline, fits_no_task};
  const auto& translation = *this->translation();
  if (const auto* refused = find_untranslated(*task_, translation)) return Error{refused->reason};
  return refuse_pipelines(*task_, translation);
}

Session::Opened Session::build() {
  if (const auto refused = refusal())
    return std::visit([](const auto& why) { return Opened(why); }, *refused);
  auto built = device_.build(*translation());
  if (!built) return built.error();
  if (auto* failure = std::get_if<Failure>(&*built)) return std::move(*failure);
  program_ = std::get<std::unique_ptr<Program>>(*std::move(built));
  return program_.get();
}

const char* Session::adjective() const {
  return purpose_ == TranslationPurpose::checking ? "checked" : "profiled";
}

Result<Attempt<Program*>> Session::open_instrumented() {
  using Instrumented = Attempt<Program*>;
  const auto lacks = [](std::string why) {
    return Instrumented{Failure{Failure::Cause::build, std::move(why)}};
  };
  if (!candidate_->compile_for)
    return lacks(fmt::format("a translated program has no {} form", adjective()));
  const auto& opened = open();
  if (const auto* error = std::get_if<Error>(&opened)) return *error;
  if (const auto* rejected = std::get_if<Rejected>(&opened))
    return lacks(fmt::format("its {} form is refused: {}", adjective(), rejected->reason));
  if (const auto* failure = std::get_if<Failure>(&opened)) {
    const bool checks = purpose_ == TranslationPurpose::checking;
    if (auto error = blame_device(*failure, checks ? "check" : "profile", candidate_->name))
      return *std::move(error);
    return lacks(fmt::format("its {} form does not build: {}", adjective(), failure->message));
  }
  return Instrumented{std::get<Program*>(opened)};
}

Result<Attempt<Plan>> Session::plan(const Size& size) {
  auto plan = task_->plan(size, *translation());
  if (plan) return Attempt<Plan>{*std::move(plan)};
  if (!task_->plan_file.empty()) return plan.error();
  // A Metal host fails here as its driver would: at this size, while running.
  return Attempt<Plan>{Failure{Failure::Cause::run_time, plan.error().message}};
}

}  // namespace msci
