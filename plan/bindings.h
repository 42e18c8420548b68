// What a task's contract says about the buffers of its plans and kernels.
#pragma once

#include <string>
#include <vector>

#include "plan/task.h"

namespace msci {

// Whether a launch binds that to the argument.
bool binds(const Binding& binding, const KernelArgument& argument);

// A sentence for each buffer whose elements have another scalar type in the kernel than in the task
// (at the kernel's first launch): "blur reads uint at [[buffer(2)]] ('w'), where the task binds
// ushort". That is not an error, because a kernel may reinterpret a buffer, but it is the most
// common reason for wrong results. Skips types that are not made of Metal's scalars, and missing
// kernels.
std::vector<std::string> mismatched_buffers(const Task& task, const Translation& translation);

// How the contract has the argument that a launch binds a buffer to; null if it is unknown.
const ContractArgument* find_contract(const Task& task, const Launch& launch,
                                      const Binding& binding);

// Marks the plan's buffers that no kernel may write, as the contract has them.
void mark_constant_buffers(const Task& task, Plan& plan);

}  // namespace msci
