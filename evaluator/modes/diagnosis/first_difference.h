// Where a wrong kernel begins to differ from the task's own.
#pragma once

#include <chrono>
#include <optional>

#include "engine/device/device.h"
#include "evaluator/result/evaluation_result.h"
#include "evaluator/session/candidate.h"
#include "tasks/plan/task.h"

namespace msci {

// Runs both kernels launch by launch, without fast math, at sizes of the strict verdict, at the
// task's small size and at wrong ones, until a launch makes different values of the same ones. Then
// it compares the values that both compute for one such element. None if it does not find a
// difference in that time. `seed`: the task's own kernel.
std::optional<FirstDifference> find_first_difference(const Candidate& candidate,
                                                     const Candidate& seed, const Task& task,
                                                     const EvaluationResult& result,
                                                     Device& processor,
                                                     std::chrono::steady_clock::time_point until);

}  // namespace msci
