// Random kernels that access memory in many ways, some of them wrong: indices of sums, products,
// remainders and data; guards, loops, barriers and atomic sums. No store leaves what it finds, so a
// race is one in each run.
#pragma once

#include <cstdint>
#include <string>

#include "tasks/plan/plan.h"

namespace msci {

// The text of a kernel; the same seed gives the same.
std::string random_access_kernel(const std::string& name, std::uint64_t seed);
// What is declared once before such kernels.
std::string random_access_prelude();
// A launch of one: several threadgroups, of which the last may be smaller.
Plan random_access_plan(const std::string& name, std::uint64_t seed);

}  // namespace msci
