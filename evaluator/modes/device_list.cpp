#include "base/json.h"
#include "evaluator/modes/modes.h"

namespace msci {

std::string devices_json(std::span<const DeviceInfo> devices) {
  constexpr std::string_view kinds[] = {"cpu", "gpu", "other"};
  std::string lines;
  for (std::size_t index = 0; index < devices.size(); ++index) {
    const auto& device = devices[index];
    const OrderedJson json = {{"index", index},
                              {"name", device.name},
                              {"vendor", device.vendor},
                              {"platform", device.platform},
                              {"backend", device.backend},
                              {"driver", device.driver},
                              {"platform_index", device.platform_index},
                              {"device_index", device.device_index},
                              {"kind", kinds[static_cast<std::size_t>(device.kind)]},
                              {"compute_units", device.compute_units},
                              {"max_threads_per_threadgroup", device.max_threads_per_threadgroup},
                              {"threadgroup_memory", device.threadgroup_memory},
                              {"global_memory", device.global_memory},
                              {"max_buffer", device.max_buffer},
                              {"sandbox", device.sandbox}};
    lines += json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
  }
  return lines;
}

}  // namespace msci
