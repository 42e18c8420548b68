// Profiles a kernel: runs a plan with a translation that counts. Predicts times from the profile.
#pragma once

#include "analysis/profile/chip.h"
#include "analysis/profile/profile.h"
#include "engine/device/device.h"
#include "evaluator/result/size_result.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/task.h"

namespace msci {

// One pass. A Failure is the kernel's. Errors are ours: a device that cannot count.
Result<Attempt<Profile>> run_profile(Plan plan, const Translation& profiled, Program& program);

// The time of a pass of the task at that size, from its profile.
PredictedTime predict_pass(const Task& task, const Size& size, const Profile& profile,
                           const Chip& chip);

}  // namespace msci
