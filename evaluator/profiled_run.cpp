#include "evaluator/profiled_run.h"

namespace msci {

Result<Attempt<Profile>> run_profile(Plan plan, const Translation& profiled, Program& program) {
  plan.execution.counted = true;
  const auto ran = program.run(plan, verify_only);
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran)) return Attempt<Profile>{*failure};
  auto profile = profile_of(profiled, plan, std::get<Run>(*ran).counts);
  if (!profile) return profile.error();
  return Attempt<Profile>{*std::move(profile)};
}

}  // namespace msci
