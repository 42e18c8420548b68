// OpenCL devices of this machine, in this process. A kernel that crashes takes the process along,
// so only the worker and tests of trusted kernels use it directly.
#pragma once

#include <memory>
#include <vector>

#include "engine/device/device.h"

namespace msci {

// Every device of every installed platform, in the drivers' order. Errors: no platform is
// installed, or no platform has a device.
Result<std::vector<DeviceInfo>> find_opencl_devices();

// Opens the device with that index in find_opencl_devices().
Result<std::unique_ptr<Device>> open_opencl_device(std::size_t index);

}  // namespace msci
