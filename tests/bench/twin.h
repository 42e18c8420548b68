// Hand-written twins of the seed kernels: the same algorithm, the same threads and the same names
// of kernels, as one would write them in OpenCL C, or compile the same text as CUDA
// (docs/twins.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluator/program.h"
#include "tests/bench/embedded_text.h"

namespace msci {

extern const std::vector<EmbeddedText> twin_files;  // tests/bench/twins; written by the build

// The task's twin, to be run in place of `seed` by the same plans. Errors: a task without a twin.
Result<Translation> opencl_twin(std::string_view task, const Translation& seed);

// The text of the same twin for nvcc. Errors: a task without a twin.
Result<std::string> cuda_text(std::string_view task);

// That text, compiled, to be run in place of `seed` on a device of cuda_device.h; `image` is what
// nvcc made of it: a cubin, or PTX.
Translation cuda_twin(std::string image, const Translation& seed);

}  // namespace msci
