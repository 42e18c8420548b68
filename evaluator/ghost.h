// Ghost replay: what of a program does not matter? A kernel that is left out of a pass, or an input
// that is exchanged for another, must change the results; where it does not, it stood there for
// show, or the result came from somewhere else.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "evaluator/device/device.h"
#include "evaluator/plan.h"

namespace msci {

// In words, sorted as the plan is: "kernel lj_clear_cells", "launch 3 of 12 (heat_step)",
// "contents of mass". `other` is the same plan with other inputs; `is_right` knows the results of
// `plan`. A run that fails is no ghost. Errors are the device's.
Result<std::vector<std::string>> find_ghosts(Program& program, const Plan& plan, const Plan& other,
                                             const std::function<bool(const Outputs&)>& is_right);

}  // namespace msci
