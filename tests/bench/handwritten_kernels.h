// Hand-written baselines of the seed kernels: the same algorithm, threads and kernel names, written
// in OpenCL C. Behind another header, the same text is CUDA (docs/reports/handwritten.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tasks/plan/program.h"
#include "tests/bench/embedded_text.h"

namespace msci {

extern const std::vector<EmbeddedText> handwritten_files;  // of tests/bench/handwritten

// The task's hand-written kernels, with the interface of `seed`, so that the same plans run them.
// Errors: a task without any.
Result<Translation> handwritten_opencl(std::string_view task, const Translation& seed);

// The same text for nvcc. Errors: as above.
Result<std::string> handwritten_cuda_text(std::string_view task);

// The same for a device of cuda_device.h; `image` is what nvcc made of the text: a cubin, or PTX.
Translation handwritten_cuda(std::string image, const Translation& seed);

}  // namespace msci
