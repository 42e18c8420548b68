// This machine's processor as a device: kernels run as machine code that msci generates, a
// simdgroup as vectors (docs/concepts/cpu_engine.md). A kernel that damages its process takes it
// along, so only the worker and tests of trusted kernels use it directly.
#pragma once

#include <memory>
#include <vector>

#include "engine/device/device.h"

namespace msci {

// The processor, as a list of one.
Result<std::vector<DeviceInfo>> find_cpu_devices();

// Opens it: index 0.
Result<std::unique_ptr<Device>> open_cpu_device(std::size_t index);

}  // namespace msci
