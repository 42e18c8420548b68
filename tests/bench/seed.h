// The seed kernels as text for a device.
#pragma once

#include <string>
#include <string_view>

#include "tasks/plan/program.h"
#include "tasks/plan/task.h"

namespace msci {

// That Metal text, translated here; or NAME.cl of the folder `programs` where that is not empty.
// Errors: no such file, a source that is refused, or a build that cannot read Metal.
Result<Translation> translated(std::string_view name, std::string_view text,
                               const std::string& programs);

// The task's seed, from TASK.cl in the folder `programs` (msci-eval --emit opencl), or translated
// here where that is empty. Errors: as above.
Result<Translation> translated_seed(const Task& task, const std::string& programs);

}  // namespace msci
