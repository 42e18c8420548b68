// What a task's contract says about the buffers of its plans and kernels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tasks/plan/task.h"

namespace msci {

// Whether a launch binds that to the argument.
bool binds(const Binding& binding, const KernelArgument& argument);

// A sentence for each buffer whose elements have another scalar type in the kernel than in the task
// (at the kernel's first launch): "blur reads uint at [[buffer(2)]] ('w'), where the task binds
// ushort". That is not an error, because a kernel may reinterpret a buffer, but it is the most
// common reason for wrong results. Skips types that are not made of Metal's scalars, and missing
// kernels.
std::vector<std::string> mismatched_buffers(const Task& task, const Translation& translation);

// Why a kernel of the task takes a longer value than the plan binds, with both sizes: its
// "uint3" has 16 bytes, and three numbers 12. None if all fit, or the types do not tell.
std::optional<std::string> find_short_value(const Task& task, const Translation& translation);

// How the contract has the argument that a launch binds a buffer to; null if it is unknown.
const ContractArgument* find_contract(const Task& task, const Launch& launch,
                                      const Binding& binding);

// Marks the plan's buffers that no kernel may write, as the contract has them.
void mark_constant_buffers(const Task& task, Plan& plan);

}  // namespace msci
