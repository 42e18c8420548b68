// What makes timed passes trustworthy: inputs that change from pass to pass, and the comparison of
// each pass with one that is not timed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plan/task.h"
#include "runtime/device/device.h"

namespace msci {

// Fills the memory beside the buffers with random bytes, and gives the plan's inputs other contents
// for some of the timed passes: those of the task's stress problem, drawn with the nonce. No other
// contents where the task has no stress problem, and where the inputs are so large that no memory
// beside the buffers could keep the results.
void prepare_for_timing(const Task& task, const Size& size, const Translation& translation,
                        std::uint64_t nonce, Plan& plan);

// Why a timed pass is wrong: its results fail the recorded verdict, or, with other inputs, are not
// those of the untimed pass. None if all are right. `expected`: of the plan's own inputs;
// `most_error`: the largest error of the recorded verdict's kind, if less than its tolerance.
// Errors: those of Task::judge.
Result<std::optional<std::string>> find_wrong_pass(const Task& task, const Size& size,
                                                   const Plan& plan, const Bytes& expected,
                                                   const Run& run,
                                                   std::optional<double> most_error = std::nullopt);

}  // namespace msci
