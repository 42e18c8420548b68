// OpenCL devices of this machine, in this process. A kernel that crashes takes the process along,
// so only the worker and tests of trusted kernels use it directly.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "engine/device/device.h"
#include "engine/device/opencl/opencl_handles.h"

namespace msci {

// Every device of every installed platform, in the drivers' order. Errors: no platform is
// installed, or no platform has a device.
Result<std::vector<DeviceInfo>> find_opencl_devices();

// Opens the device with that index in find_opencl_devices().
Result<std::unique_ptr<Device>> open_opencl_device(std::size_t index);

// The devices of all installed OpenCL platforms.
struct FoundOpenclDevice {
  cl_device_id id = nullptr;
  DeviceInfo info;
};

// In the drivers' order. Errors: the OpenCL loader is not installed, no platform is installed, or
// no platform has a device.
Result<std::vector<FoundOpenclDevice>> list_opencl_devices();

}  // namespace msci
