#include "evaluator/session/profiled_program.h"

#include <fmt/format.h>

#include "evaluator/profile/profiled_run.h"

namespace msci {

void Predictor::predict(const Task& task, const Size& size, const Profile& profile,
                        SizeResult& to) const {
  to.predicted = predict_pass(task, size, profile, chip);
  if (chips.empty()) return;
  auto& times = to.on_chips.emplace();
  for (const auto& each : chips)
    times.push_back({std::string(each.name), predict_pass(task, size, profile, each)});
}

Result<Profile> ProfiledProgram::profile(const Task& task, const Size& size) {
  const auto fails = [&](std::string_view why) {
    return Error{
        fmt::format("cannot predict the times of {}: {}", session_.candidate()->name, why)};
  };
  const auto program = session_.open_instrumented();
  if (!program) return fails(program.error().message);
  if (const auto* failure = std::get_if<Failure>(&*program)) return fails(failure->message);
  const auto& translation = *session_.translation();
  auto plan = task.plan(size, translation);
  if (!plan) return fails(plan.error().message);
  auto profile = run_profile(*std::move(plan), translation, *std::get<Program*>(*program));
  if (!profile) return fails(profile.error().message);
  if (const auto* failure = std::get_if<Failure>(&*profile))
    return fails(fmt::format("at size {}, {}", size.label, failure->message));
  return std::get<Profile>(*std::move(profile));
}

Result<PredictedComparison> compare_predicted(const Task& task, const Candidate& candidate,
                                              const Candidate& rival, const Predictor& predictor) {
  ProfiledProgram own(candidate, predictor), other(rival, predictor);
  PredictedComparison comparison{.rival = rival.name, .chip = std::string(predictor.chip.name)};
  for (const auto& size : task.sizes) {
    const auto profile = own.profile(task, size);
    if (!profile) return profile.error();
    const auto rivals = other.profile(task, size);
    if (!rivals) return rivals.error();
    const auto& chip = predictor.chip;
    comparison.sizes.push_back({.label = std::string(size.label),
                                .candidate = predict_pass(task, size, *profile, chip),
                                .rival = predict_pass(task, size, *rivals, chip),
                                .moved = moved_counters(*profile, *rivals, chip)});
  }
  return comparison;
}

}  // namespace msci
