// Devices behind a process of their own: a kernel is native code that nobody has vetted, and may
// crash, hang or overwrite its process. Each built program gets a fresh process, msci-worker, which
// owns the driver, holds no right answers, and is killed when the program is done with or
// misbehaves.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "evaluator/device/device.h"

namespace msci {

struct WorkerLimits {
  std::chrono::milliseconds build = std::chrono::minutes(2);
  std::chrono::milliseconds run =
      std::chrono::minutes(2);                 // with what the driver compiles only then
  std::size_t memory = std::size_t{16} << 30;  // bytes beside the driver's own, on processors
};

// Every OpenCL device of this machine. Errors: no platform, no device, no msci-worker
// (lint/own_programs.h).
Result<std::vector<DeviceInfo>> find_worker_devices();

// The device that choose_device finds for `wanted`.
Result<std::unique_ptr<Device>> open_worker_device(std::string_view wanted,
                                                   WorkerLimits limits = {});

}  // namespace msci
