// Devices in a process of their own: a kernel is untrusted native code, which may crash, hang or
// overwrite its process. Each built program gets a fresh process, msci-worker, which owns the
// driver and holds no reference results. It is killed when the program is destroyed or fails.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/device/device.h"

namespace msci {

struct WorkerLimits {
  std::chrono::milliseconds build = std::chrono::minutes(2);
  // Includes what a driver compiles at the first launch.
  std::chrono::milliseconds run = std::chrono::minutes(2);
  std::size_t memory = std::size_t{16} << 30;  // bytes beyond the driver's own, on processors
  // Whether the first program gets the process that listed the devices, which then waits for it.
  bool takes_listing_process = true;
};

// Every device of this machine. Errors: no device, no msci-worker
// (base/files/install_paths.h).
Result<std::vector<DeviceInfo>> find_worker_devices();

// The device that choose_device finds for `wanted`. Threads may share it: they build programs side
// by side. A program is for one thread at a time.
Result<std::unique_ptr<Device>> open_worker_device(std::string_view wanted,
                                                   WorkerLimits limits = {});

}  // namespace msci
