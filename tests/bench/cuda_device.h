// NVIDIA's driver as a device that runs what nvcc compiled, to measure twins beside OpenCL; in this
// process, for twins are ours. Needs nothing but libcuda.so.1, which comes with the driver.
#pragma once

#include <memory>

#include "evaluator/device/device.h"

namespace msci {

// The first GPU. Its build() takes a cubin or PTX for a translation's text, whose kernels take what
// evaluator/program.h says and three `uint` more: the first thread of the launch in x, y and z.
// It does not look at what lies beside buffers, nor whether constant ones changed. Errors: no
// driver, no GPU.
Result<std::unique_ptr<Device>> open_cuda_device();

}  // namespace msci
