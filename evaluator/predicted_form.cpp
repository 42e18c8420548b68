#include "evaluator/predicted_form.h"

#include <fmt/format.h>

#include "evaluator/profiled_run.h"

namespace msci {

Result<PredictedTime> PredictedForm::predict(const Task& task, const Size& size) {
  const std::lock_guard lock(predictor_.processor.mutex);
  const auto fails = [&](std::string_view why) {
    return Error{fmt::format("cannot predict the times of {}: {}", form_.candidate().name, why)};
  };
  const auto program = form_.program();
  if (!program) return fails(program.error().message);
  if (!*program) return fails("it has no translation that counts");
  auto plan = task.plan(size, form_.translation());
  if (!plan) return fails(plan.error().message);
  auto profile = run_profile(*std::move(plan), form_.translation(), **program);
  if (!profile) return fails(profile.error().message);
  if (const auto* failure = std::get_if<Failure>(&*profile))
    return fails(fmt::format("at size {}, {}", size.label, failure->message));
  return predict_pass(task, size, std::get<Profile>(*profile), predictor_.chip);
}

Result<PredictedComparison> compare_predicted(const Task& task, const Candidate& candidate,
                                              const Candidate& rival, const Predictor& predictor) {
  PredictedForm own(candidate, predictor), other(rival, predictor);
  PredictedComparison comparison{.rival = rival.name, .chip = std::string(predictor.chip.name)};
  for (const auto& size : task.sizes) {
    auto time = own.predict(task, size);
    if (!time) return time.error();
    auto rivals = other.predict(task, size);
    if (!rivals) return rivals.error();
    comparison.sizes.push_back({std::string(size.label), *std::move(time), *std::move(rivals)});
  }
  return comparison;
}

}  // namespace msci
