#include "evaluator/profile/profiled_run.h"

#include <fmt/format.h>

#include "analysis/profile/advice.h"
#include "analysis/profile/claim.h"
#include "evaluator/measure/roofline.h"

namespace msci {
namespace {

double traffic_of(const Profile& profile) {
  constexpr double sector_bytes = 32;
  double bytes = 0;
  for (const auto& launch : profile.launches)
    bytes += launch.device_sectors * sector_bytes *
             static_cast<double>(launch.simdgroups * launch.groups * launch.weight);
  return bytes;
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
  PredictedTime time{.seconds = prediction.seconds,
                     .low = low,
                     .high = high,
                     .fraction = rate / ceiling_of(task, ceilings_of(chip)),
                     .bound_by = prediction.bound(),
                     .parts = {pass.parts.begin(), pass.parts.end()},
                     .in_registers = pass.in_registers,
                     .unlike = std::move(pass.unlike),
                     .traffic = traffic_of(profile)};
  if (profile.launches.empty()) return time;
  const auto longest = prediction.longest_launch();
  const auto& launch = profile.launches[longest];
  time.advice =
      fmt::format("{} is {}", launch.kernel, advice_on(launch, prediction.launches[longest]));
  time.threads = static_cast<unsigned>(launch.threadgroup.count());
  time.registers = launch.registers;
  return time;
}

}  // namespace msci
