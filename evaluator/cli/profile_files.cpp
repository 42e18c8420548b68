#include "evaluator/cli/profile_files.h"

#include "evaluator/batch.h"
#include "evaluator/cli/exit_codes.h"
#include "evaluator/cli/judge_each.h"
#include "evaluator/cli/open_devices.h"
#include "evaluator/explain_failures.h"
#include "instrument/profile/result/profile_result.h"
#include "instrument/profile/result/profiled_run.h"

namespace msci {
namespace {

std::variant<Profiled, Rejected, Error> profile_on(const Prepared& prepared, const Task* task,
                                                   const Chip& chip, Device& device) {
  if (!prepared.translation) return Rejected{Rejected::Stage::compile, prepared.rejection};
  if (!task) return Rejected{Rejected::Stage::pipeline, fits_no_task};
  const auto& translation = *prepared.translation;
  if (auto refusal = refuse_pipelines(*task, translation)) return *std::move(refusal);
  auto built = device.build(translation);
  if (!built) return built.error();
  if (auto* failure = std::get_if<Failure>(&*built)) {
    if (auto error = blame_device(*failure, "profile", task->name)) return *std::move(error);
    return Rejected{Rejected::Stage::pipeline, std::move(failure->message)};
  }
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  Profiled profiled;
  for (const auto& size : task->sizes) {
    auto plan = task->plan(size, translation);
    if (!plan && !task->plan_file.empty()) return plan.error();
    if (!plan) return Rejected{Rejected::Stage::pipeline, plan.error().message};
    auto profile = run_profile(*std::move(plan), translation, program);
    if (!profile) return profile.error();
    if (auto* failure = std::get_if<Failure>(&*profile)) {
      if (auto error = blame_device(*failure, "profile", task->name)) return *std::move(error);
      profiled.failure = std::move(*failure);
      return profiled;
    }
    auto& counted = std::get<Profile>(*profile);
    auto prediction = predict(counted, chip);
    profiled.sizes.push_back({size.label, std::move(counted), std::move(prediction)});
  }
  return profiled;
}

ProfileResult profile_on(const Candidate& candidate, const Task* task, const Chip& chip,
                         Device& device) {
  ProfileResult result{.file = candidate.name,
                       .source = candidate.source,
                       .chip = std::string(chip.name),
                       .device = device.info().name};
  if (task) result.task = task->name;
  if (candidate.prepared)
    result.result = profile_on(*candidate.prepared, task, chip, device);
  else
    result.result = candidate.prepared.error();
  return result;
}

Judged judged(const ProfileResult& result, bool json) {
  const auto* error = std::get_if<Error>(&result.result);
  const auto* profiled = std::get_if<Profiled>(&result.result);
  return {.error = error ? std::optional(*error) : std::nullopt,
          .output = json    ? to_json(result) + "\n"
                    : error ? std::string()
                            : to_text(result),
          .is_right = profiled && !profiled->failure};
}

}  // namespace

int profile_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                  Device& device) {
  const auto chip = find_chip(options.predict.empty() ? default_chip : options.predict);
  if (!chip) return report_error(chip.error());
  return judge_each(options, tasks, TranslationPurpose::profiling,
                    [&](const Candidate& candidate, const Task* task) {
                      auto result = profile_on(candidate, task, **chip, device);
                      result.requested_device = replaced_device(options, device.info());
                      return judged(result, options.json);
                    });
}

}  // namespace msci
