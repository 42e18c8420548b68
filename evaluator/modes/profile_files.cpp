#include <algorithm>

#include "base/io/report.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/judge_each.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/open_devices.h"
#include "evaluator/profile/profile_result.h"
#include "evaluator/profile/profiled_run.h"
#include "evaluator/session/session.h"

namespace msci {
namespace {

RunOutcome<Profiled> profile_session(Session& session, const Chip& chip) {
  const auto& opened = session.open();
  if (const auto* error = std::get_if<Error>(&opened)) return *error;
  if (const auto* rejected = std::get_if<Rejected>(&opened)) return *rejected;
  const auto& task = session.task();
  if (const auto* failure = std::get_if<Failure>(&opened)) {
    if (auto error = blame_device(*failure, "profile", task.name)) return *std::move(error);
    return Rejected{Rejected::Stage::pipeline, failure->message};
  }
  Profiled profiled;
  for (const auto& size : task.sizes) {
    auto plan = session.plan(size);
    if (!plan) return plan.error();
    if (auto* failure = std::get_if<Failure>(&*plan))
      return Rejected{Rejected::Stage::pipeline, std::move(failure->message)};
    auto profile = run_profile(std::get<Plan>(*std::move(plan)), *session.translation(),
                               *std::get<Program*>(opened));
    if (!profile) return profile.error();
    if (auto* failure = std::get_if<Failure>(&*profile)) {
      if (auto error = blame_device(*failure, "profile", task.name)) return *std::move(error);
      profiled.failure = std::move(*failure);
      return profiled;
    }
    auto& counted = std::get<Profile>(*profile);
    auto prediction = predict(counted, chip);
    profiled.sizes.push_back({size.label, std::move(counted), std::move(prediction)});
  }
  return profiled;
}

bool is_launched(const Profiled& profiled, const std::string& kernel) {
  return std::any_of(profiled.sizes.begin(), profiled.sizes.end(), [&](const SizeProfile& size) {
    const auto& launches = size.profile.launches;
    return std::any_of(launches.begin(), launches.end(),
                       [&](const LaunchProfile& launch) { return launch.kernel == kernel; });
  });
}

// Of the launched kernels. Nothing where Mesa's compiler is not installed or does not know the
// chip.
std::optional<Result<CompiledByMesa>> machine_code_of(const Candidate& candidate,
                                                      const Profiled& profiled, const Chip& chip) {
  const auto gpu = apple_gpu_of(chip.name);
  if (!gpu || !find_mesa() || !candidate.compile_for) return std::nullopt;
  auto compiled = candidate.compile_for(TranslationPurpose::reading, {});
  if (!compiled) return compiled.error();
  if (!compiled->translation) return std::nullopt;
  auto& kernels = compiled->translation->kernels;
  std::erase_if(kernels, [&](const auto& kernel) { return !is_launched(profiled, kernel.name); });
  return apple_code_of(*compiled->translation, *gpu, default_compile_limits);
}

// The profile stands without it.
void add_machine_code(ProfileResult& result, const Candidate& candidate, const Chip& chip) {
  const auto* profiled = std::get_if<Profiled>(&result.result);
  if (!profiled || profiled->sizes.empty()) return;
  auto code = machine_code_of(candidate, *profiled, chip);
  if (!code) return;
  if (*code)
    result.machine_code = std::move(**code);
  else
    report_warning("msci-eval", "no machine code: " + code->error().message);
}

}  // namespace

ProfileResult profile_candidate_on(const Candidate& candidate, const Task* task, const Chip& chip,
                                   Device& device) {
  ProfileResult result{.heading = heading_of(candidate, task, device),
                       .source = candidate.source,
                       .chip = std::string(chip.name)};
  Session session(candidate, task, device);
  result.result = profile_session(session, chip);
  add_machine_code(result, candidate, chip);
  return result;
}

namespace {

Judged judged_profile(const ProfileResult& result, bool json) {
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
  const auto chip =
      find_chip(options.timing.predict.empty() ? default_chip : options.timing.predict);
  if (!chip) return report_error(chip.error());
  return judge_each(options, tasks, TranslationPurpose::profiling,
                    [&](const Candidate& candidate, const Task* task) {
                      auto result = profile_candidate_on(candidate, task, **chip, device);
                      result.heading.requested_device = replaced_device(options, device.info());
                      return judged_profile(result, options.output.json);
                    });
}

}  // namespace msci
