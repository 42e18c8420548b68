// A device that runs what nvcc compiled, by NVIDIA's driver alone (libcuda.so.1). It runs in this
// process: only our own hand-written kernels are run on it.
#pragma once

#include <memory>

#include "engine/device/device.h"

namespace msci {

// Opens the first GPU. Its build() takes a cubin or PTX as a translation's text. The kernels take
// what tasks/plan/program.h says, then three `uint`: the first thread of the launch in x, y and
// z. Errors: no driver, no GPU.
Result<std::unique_ptr<Device>> open_cuda_device();

}  // namespace msci
