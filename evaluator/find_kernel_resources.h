// The registers and threadgroup memory of kernels, for lint.
#pragma once

#include "lint/rule.h"

namespace msci {

// Translates the kernels as for a profile, and runs nothing. Leaves out kernels that cannot be
// translated, such as those that need values of function constants.
std::vector<KernelResources> find_kernel_resources(Unit& unit);

}  // namespace msci
