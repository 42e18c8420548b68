// The list of devices as JSON: msci-eval --list-devices --json.
#pragma once

#include <span>
#include <string>

#include "engine/device/device.h"

namespace msci {

// One line a device: index (in --device), name, vendor, platform, driver, platform_index,
// device_index, kind, compute_units, max_threads_per_threadgroup, threadgroup_memory, global_memory
// and max_buffer (bytes).
std::string devices_json(std::span<const DeviceInfo> devices);

}  // namespace msci
