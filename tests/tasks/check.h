// What the tests of tasks share: a program with known thread limits, and the ways in which check
// values are written down.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/plan/task.h"

namespace msci {

// A translation that holds just `task`'s kernels, each with the thread limit `cap`.
Translation program_for(const Task& task, unsigned cap = threadgroup_thread_limit);

// The task of that name; the test dies where there is none.
const Task& the_task(std::string_view name);

// All sizes, the held-out one last.
std::vector<Size> all_sizes(const Task& task);

// The size of that label; the test dies where there is none.
Size the_size(const Task& task, std::string_view label);

// A name for a test of one size, of letters, digits and underscores.
std::string test_name(std::string_view task, std::string_view label);

// The plan for a program without thread limits.
Plan plan_of(const Task& task, const Size& size);

// What `buffer` holds at first.
const Bytes& start_of(const Plan& plan, std::string_view buffer);

// The unsigned number that launch `launch` sees at buffer index `index`.
unsigned number_at(const Plan& plan, std::size_t launch, unsigned index);

// zlib's CRC-32 in hexadecimal.
std::string crc32_of(std::span<const std::byte> bytes);

// The values summed in double precision.
double sum_of(std::span<const std::byte> floats);

// One value of an array of floats.
float float_at(std::span<const std::byte> floats, std::size_t index);

// Bytes from floats.
Bytes bytes_of(std::span<const float> floats);

}  // namespace msci
