#include "runtime/device/local_devices.h"

#include <fmt/format.h>

#include <string>

namespace msci {

Result<std::vector<DeviceInfo>> find_local_devices(std::span<const DeviceKind> kinds) {
  std::vector<DeviceInfo> all;
  std::string problems;
  for (const auto& kind : kinds) {
    auto found = kind.find();
    if (!found) {
      problems += (problems.empty() ? "" : "; ") + found.error().message;
      continue;
    }
    // Each kind counts its platforms from 0.
    const auto first_platform = all.empty() ? 0 : all.back().platform_index + 1;
    for (auto& device : *found) {
      device.platform_index += first_platform;
      all.push_back(std::move(device));
    }
  }
  if (all.empty()) return Error{problems};
  return all;
}

Result<std::unique_ptr<Device>> open_local_device(std::span<const DeviceKind> kinds,
                                                  std::size_t index) {
  for (const auto& kind : kinds) {
    const auto found = kind.find();
    if (!found) continue;
    if (index < found->size()) return kind.open(index);
    index -= found->size();
  }
  return Error{fmt::format("this machine has fewer devices: index {} is past the last", index)};
}

}  // namespace msci
