// Hand-written twins of the seed kernels: the same algorithm, the same threads and the same names
// of kernels, as one would write them in OpenCL C, or compile the same text as CUDA
// (docs/twins.md).
#pragma once

#include <string>
#include <string_view>

#include "evaluator/program.h"

namespace msci {

// A file of tests/bench/twins: "nbody.cl" and its text.
struct TwinFile {
  std::string_view name;
  std::string_view text;
};

// The task's twin, to be run in place of `seed` by the same plans. Errors: a task without a twin.
Result<Translation> opencl_twin(std::string_view task, const Translation& seed);

// The text of the same twin for nvcc. Errors: a task without a twin.
Result<std::string> cuda_text(std::string_view task);

// That text, compiled, to be run in place of `seed` on a device of cuda_device.h; `image` is what
// nvcc made of it: a cubin, or PTX.
Translation cuda_twin(std::string image, const Translation& seed);

}  // namespace msci
