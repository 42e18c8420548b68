// Profiles a kernel: runs a plan with a translation that counts. Predicts times from the profile.
#pragma once

#include "evaluator/device/device.h"
#include "evaluator/plan/plan.h"
#include "evaluator/plan/task.h"
#include "evaluator/profile/chip.h"
#include "evaluator/profile/profile.h"
#include "evaluator/result/size_result.h"

namespace msci {

// One pass. A Failure is the kernel's. Errors are ours: a device that cannot count.
Result<Attempt<Profile>> run_profile(Plan plan, const Translation& profiled, Program& program);

// The time of a pass of the task at that size, from its profile.
PredictedTime predict_pass(const Task& task, const Size& size, const Profile& profile,
                           const Chip& chip);

}  // namespace msci
