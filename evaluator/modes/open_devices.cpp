#include "evaluator/modes/open_devices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <utility>

#include "base/json.h"
#include "engine/device/worker.h"
#include "evaluator/modes/modes.h"

namespace msci {
namespace {

// Why a device cannot run kernels in the order of --order.
std::optional<Error> refuse_order(const Execution& execution, const Devices& devices) {
  if (execution == Execution{}) return std::nullopt;
  for (const auto& device : devices)
    if (!device->info().chooses_order)
      return Error{fmt::format("{} has no choice of an order; --order needs --device {}",
                               device->info().name, cpu_device_name)};
  return std::nullopt;
}

// Why several devices cannot time kernels at once: two kernels on one device disturb each other,
// and so does the host's work beside a kernel on the processor.
std::optional<Error> refuse_parallel_timing(const Devices& devices) {
  if (devices.size() == 1) return std::nullopt;
  std::set<std::pair<std::size_t, std::size_t>> places;
  for (const auto& device : devices) {
    const auto& info = device->info();
    if (info.is_processor())
      return Error{
          fmt::format("{} is a processor, which times one kernel at once; name one --device, or "
                      "add --verify-only",
                      info.name)};
    if (!places.emplace(info.platform_index, info.device_index).second)
      return Error{
          fmt::format("--device names {} twice, which would time two kernels at once; "
                      "--list-devices has indices",
                      info.name)};
  }
  return std::nullopt;
}

// The device where --device names none; empty: the first one that --list-devices lists.
std::string_view default_device(const EvaluatorOptions& options) {
  if (options.candidates.is_program) return opencl_device_name;  // a translated program is OpenCL C
  return options.counts_work() ? cpu_device_name : "";
}

}  // namespace

std::optional<std::string> replaced_device(const EvaluatorOptions& options,
                                           const DeviceInfo& processor) {
  const auto named = fmt::format("{}", fmt::join(options.devices.names, ","));
  if (!options.mode.needs_processor() || named.empty() || named == cpu_device_name)
    return std::nullopt;
  // An index is one of all devices, and the processor is the only one here.
  const bool is_index = named.find_first_not_of("0123456789") == std::string::npos;
  if (!is_index && choose_device({&processor, 1}, named)) return std::nullopt;
  return named;
}

TranslationPurpose judging_purpose(const EvaluatorOptions& options) {
  if (options.is_certified()) return TranslationPurpose::covering;
  if (options.is_strict()) return TranslationPurpose::running;
  return options.counts_work() ? TranslationPurpose::profiling : TranslationPurpose::running;
}

namespace {

Result<Devices> open_processor_alone(const EvaluatorOptions& options) {
  // A kernel that has lost a part may run for ever.
  const bool is_hasty = !options.mode.reduce.empty() && !options.devices.time_limit;
  const auto limit = is_hasty ? std::chrono::seconds(5) : options.devices.run_limit();
  auto processor = open_worker_device(cpu_device_name, {.run = limit});
  if (!processor) return processor.error();
  if (const auto named = replaced_device(options, (*processor)->info()))
    fmt::print(stderr,
               "msci-eval: note: {} runs on {}, not on --device {}: only msci's own engine {}\n",
               options.mode.name_of_processor_mode(), cpu_device_name, *named,
               options.mode.reason_for_processor());
  Devices devices;
  devices.push_back(*std::move(processor));
  return devices;
}

// The copies of a server start their own processes.
WorkerLimits worker_limits(const EvaluatorOptions& options) {
  return {.run = options.devices.run_limit(), .takes_listing_process = !options.serving.serves};
}

Result<Devices> open_wanted(const EvaluatorOptions& options) {
  Devices devices;
  for (const auto& wanted : options.devices.names) {
    const auto name = wanted.empty() ? std::string(default_device(options)) : wanted;
    auto device = open_worker_device(name, worker_limits(options));
    if (!device) return device.error();
    devices.push_back(*std::move(device));
  }
  // In a server, timed kernels have the machine alone, or take turns on the device.
  const bool times_at_once = !options.verdict.verify_only && !options.serving.serves;
  if (auto refusal = times_at_once ? refuse_parallel_timing(devices) : std::nullopt)
    return *std::move(refusal);
  if (auto refusal = refuse_order(options.verdict.execution, devices)) return *std::move(refusal);
  return devices;
}

}  // namespace

Result<Devices> open_devices(const EvaluatorOptions& options) {
  auto devices =
      options.mode.needs_processor() ? open_processor_alone(options) : open_wanted(options);
  if (!devices) return devices;
  for (const auto& access : devices->front()->info().unsandboxed)
    fmt::print(stderr, "msci-eval: warning: this system cannot keep kernels from {}\n", access);
  return devices;
}

Result<std::unique_ptr<Device>> open_processor(const EvaluatorOptions& options) {
  if (!options.is_strict() && options.timing.predict.empty() && !options.serving.serves)
    return std::unique_ptr<Device>();
  return open_worker_device(cpu_device_name, worker_limits(options));
}

OpenProcessor processor_opener(const DeviceOptions& options) {
  return
      [limit = options.run_limit()] { return open_worker_device(cpu_device_name, {.run = limit}); };
}

Result<std::vector<EvaluationContext>> contexts_of(const EvaluatorOptions& options,
                                                   const Devices& devices, Cache& cache) {
  std::vector<EvaluationContext> contexts;
  for (const auto& device : devices) {
    auto& context = contexts.emplace_back(EvaluationContext{.device = *device, .cache = cache});
    if (options.verdict.verify_only) continue;
    auto gauge = CeilingGauge::open(*device, cache);
    if (!gauge) return gauge.error();
    context.ceilings = gauge->current();
    context.gauge = std::make_shared<CeilingGauge>(*std::move(gauge));
  }
  return contexts;
}

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
