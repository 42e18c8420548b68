// All devices of this machine, in this process.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "evaluator/device/device.h"

namespace msci {

// The devices of every kind. Error: there is no device of any kind.
Result<std::vector<DeviceInfo>> find_local_devices();

// Opens the device with that index in find_local_devices().
Result<std::unique_ptr<Device>> open_local_device(std::size_t index);

}  // namespace msci
