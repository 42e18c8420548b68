// Ablation: finds the parts of a program that do not matter. Removing a kernel from a pass, or
// replacing an input, must change the results. If it does not, the part has no effect, or the
// result comes from somewhere else.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "tasks/plan/plan.h"

namespace msci {

// Names the irrelevant parts, as "contents of mass", "launch 3 of 12 (heat_step)" and "kernel
// lj_clear_cells", in this order. `other` is the same plan with other inputs; `is_right` compares
// with the results of `plan`. If the run without a part fails, the part is relevant, and the search
// ends there. Errors are the device's.
Result<std::vector<std::string>> find_irrelevant_parts(
    Program& program, const Plan& plan, const Plan& other,
    const std::function<bool(const Outputs&)>& is_right);

}  // namespace msci
