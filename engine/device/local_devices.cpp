#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "engine/device/worker_main.h"

namespace msci {
namespace {

// An empty name stands for all.
Result<std::span<const DeviceBackend>> backends_named(std::string_view name,
                                                      std::span<const DeviceBackend> backends) {
  if (name.empty()) return backends;
  const auto found = std::ranges::find(backends, name, &DeviceBackend::name);
  if (found == backends.end()) return Error{fmt::format("back end '{}' not found", name)};
  return std::span(found, 1);
}

}  // namespace

Result<LocalDevices> find_local_devices(std::span<const DeviceBackend> backends,
                                        std::string_view name) {
  const auto asked = backends_named(name, backends);
  if (!asked) return asked.error();
  LocalDevices all;
  for (const auto& backend : *asked) {
    auto found = backend.find();
    if (!found) {
      all.problems.push_back(found.error().message);
      continue;
    }
    // Each back end counts its platforms from 0.
    const auto first_platform = all.devices.empty() ? 0 : all.devices.back().platform_index + 1;
    for (auto& device : *found) {
      device.backend = backend.name;
      device.platform_index += first_platform;
      all.devices.push_back(std::move(device));
    }
  }
  if (all.devices.empty()) return Error{fmt::format("{}", fmt::join(all.problems, "; "))};
  return all;
}

Result<std::unique_ptr<Device>> open_local_device(std::span<const DeviceBackend> backends,
                                                  std::string_view name, std::size_t index) {
  const auto asked = backends_named(name, backends);
  if (!asked) return asked.error();
  return asked->front().open(index);
}

}  // namespace msci
