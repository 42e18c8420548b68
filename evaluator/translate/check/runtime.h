// The run-time functions of checked kernels, in OpenCL C.
#pragma once

#include <string>
#include <string_view>

namespace msci {

// Functions that record accesses and report faults; evaluator/device/check_memory.h describes the
// memory that they work on.
std::string check_runtime();

// The parameters that a checked kernel takes after all others.
std::string_view check_parameters();

// Sets up `checks` at the beginning of the kernel; `thread` is an expression for the thread's index
// in its threadgroup.
std::string check_beginning(std::string_view thread, bool has_threadgroup_memory);

}  // namespace msci
