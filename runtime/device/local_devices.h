// All devices of this machine, in this process.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device/device.h"

namespace msci {

// A kind of device: how its devices are found, and opened by their index in what was found.
struct DeviceKind {
  Result<std::vector<DeviceInfo>> (*find)();
  Result<std::unique_ptr<Device>> (*open)(std::size_t index);
};

// The devices of every kind, in the order of the kinds. Error: this machine has none.
Result<std::vector<DeviceInfo>> find_local_devices(std::span<const DeviceKind> kinds);

// Opens the device with that index in find_local_devices().
Result<std::unique_ptr<Device>> open_local_device(std::span<const DeviceKind> kinds,
                                                  std::size_t index);

}  // namespace msci
