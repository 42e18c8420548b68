#include "runtime/device/local_devices.h"

#include <fmt/format.h>

#include <string>

namespace msci {

Result<std::vector<DeviceInfo>> find_local_devices(std::span<const DeviceBackend> backends) {
  std::vector<DeviceInfo> all;
  std::string problems;
  for (const auto& backend : backends) {
    auto found = backend.find();
    if (!found) {
      problems += (problems.empty() ? "" : "; ") + found.error().message;
      continue;
    }
    // Each back end counts its platforms from 0.
    const auto first_platform = all.empty() ? 0 : all.back().platform_index + 1;
    for (auto& device : *found) {
      device.backend = backend.name;
      device.platform_index += first_platform;
      all.push_back(std::move(device));
    }
  }
  if (all.empty()) return Error{problems};
  return all;
}

Result<std::unique_ptr<Device>> open_local_device(std::span<const DeviceBackend> backends,
                                                  std::size_t index) {
  for (const auto& backend : backends) {
    const auto found = backend.find();
    if (!found) continue;
    if (index < found->size()) return backend.open(index);
    index -= found->size();
  }
  return Error{fmt::format("this machine has fewer devices: index {} is past the last", index)};
}

}  // namespace msci
