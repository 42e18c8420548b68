// The devices of all installed OpenCL platforms.
#pragma once

#include <vector>

#include "base/result.h"
#include "engine/device/device.h"
#include "engine/device/opencl/opencl_handles.h"

namespace msci {

struct FoundOpenclDevice {
  cl_device_id id = nullptr;
  DeviceInfo info;
};

// In the drivers' order. Errors: the OpenCL loader is not installed, no platform is installed, or
// no platform has a device.
Result<std::vector<FoundOpenclDevice>> list_opencl_devices();

}  // namespace msci
