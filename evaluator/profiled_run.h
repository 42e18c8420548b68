// Profiles a kernel: runs a plan with a translation that counts.
#pragma once

#include "evaluator/device/device.h"
#include "evaluator/plan/plan.h"
#include "evaluator/profile/profile.h"

namespace msci {

// One pass. A Failure is the kernel's. Errors are ours: a device that cannot count.
Result<Attempt<Profile>> run_profile(Plan plan, const Translation& profiled, Program& program);

}  // namespace msci
