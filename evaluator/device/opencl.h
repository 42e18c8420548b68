// Devices of this machine over OpenCL, in this process: a kernel that crashes takes the process
// along, so only the worker and tests of trusted kernels use it directly.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "evaluator/device/device.h"

namespace msci {

// Every device of every installed platform, in the drivers' order. Errors: no platform is
// installed, or none has a device.
Result<std::vector<DeviceInfo>> find_opencl_devices();

// Opens the device that choose_device finds for `wanted`.
Result<std::unique_ptr<Device>> open_opencl_device(std::string_view wanted);

}  // namespace msci
