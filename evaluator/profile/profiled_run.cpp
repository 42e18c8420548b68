#include "evaluator/profile/profiled_run.h"

#include <fmt/format.h>

#include "analysis/profile/advice.h"
#include "analysis/profile/claim.h"
#include "evaluator/measure/roofline.h"

namespace msci {
namespace {

// Of the kernel that takes longest.
std::string advice_on(const Profile& profile, const Prediction& prediction) {
  double longest = 0;
  std::string advice;
  for (std::size_t i = 0; i < profile.launches.size(); ++i) {
    const auto& launch = profile.launches[i];
    const double seconds = static_cast<double>(launch.weight) * prediction.launches[i].seconds;
    if (seconds <= longest) continue;
    longest = seconds;
    advice =
        fmt::format("{} is {}", launch.kernel, msci::advice_on(launch, prediction.launches[i]));
  }
  return advice;
}

}  // namespace

Result<Attempt<Profile>> run_profile(Plan plan, const Translation& profiled, Program& program) {
  plan.execution.counted = true;
  plan.results.clear();  // so what nothing counts need not run
  const auto ran = program.run(plan, verify_only);
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran)) return Attempt<Profile>{*failure};
  auto profile = profile_of(profiled, plan, std::get<Run>(*ran).counts);
  if (!profile) return profile.error();
  return Attempt<Profile>{*std::move(profile)};
}

PredictedTime predict_pass(const Task& task, const Size& size, const Profile& profile,
                           const Chip& chip) {
  const auto prediction = predict(profile, chip);
  auto pass = predicted_pass(profile, prediction, m1_pro_calibration.range);
  const auto [low, high] = interval_of(pass);
  const double rate = task.work(size) / prediction.seconds * 1e-9;
  return {.seconds = prediction.seconds,
          .low = low,
          .high = high,
          .fraction = rate / ceiling_of(task, ceilings_of(chip)),
          .bound_by = prediction.bound(),
          .advice = advice_on(profile, prediction),
          .parts = {pass.parts.begin(), pass.parts.end()},
          .in_registers = pass.in_registers,
          .unlike = std::move(pass.unlike)};
}

}  // namespace msci
