// The process that runs translated kernels for msci-eval.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/device.h"

namespace msci {

// All devices of this machine, in this process.

// A back end: how its devices are found, and opened by their index in what was found.
struct DeviceBackend {
  std::string_view name;  // that --device takes for the first of its devices
  Result<std::vector<DeviceInfo>> (*find)();
  Result<std::unique_ptr<Device>> (*open)(std::size_t index);
};

struct LocalDevices {
  std::vector<DeviceInfo> devices;
  std::vector<std::string> problems;  // why other back ends have none: "no driver is installed"
};

// The devices of all back ends, in their order; or of the one with that name, without a call of the
// others, which may be slow or crash. Errors: no such back end, no device.
Result<LocalDevices> find_local_devices(std::span<const DeviceBackend> backends,
                                        std::string_view name = {});

// Opens the device with that index among those that the back end of that name finds.
Result<std::unique_ptr<Device>> open_local_device(std::span<const DeviceBackend> backends,
                                                  std::string_view name, std::size_t index);

// Builds and runs one program at a time for the process that started this one, on devices of these
// back ends. Inherits a socket for messages, and takes a folder for the driver's files as argument.
// Returns the exit status.
int worker_main(int argc, char** argv, std::span<const DeviceBackend> backends);

}  // namespace msci
