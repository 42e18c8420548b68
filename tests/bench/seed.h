// The seed kernels as text for a device.
#pragma once

#include <string>

#include "evaluator/program.h"
#include "evaluator/task.h"

namespace msci {

// The task's seed, from TASK.cl in the folder `programs` (msci-eval --emit opencl), or translated
// here where that is empty. Errors: no such file, or a build that cannot read Metal.
Result<Translation> translated_seed(const Task& task, const std::string& programs);

}  // namespace msci
