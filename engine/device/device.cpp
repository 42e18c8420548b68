#include "engine/device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/text.h"
#include "tasks/plan/bindings.h"

namespace msci {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return lower_case(text).find(lower_case(part)) != std::string::npos;
}

std::optional<std::size_t> as_index(std::string_view text) {
  std::size_t index = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return index;
}

// A number is an index, anything else a part of the name.
bool is_meant(std::string_view wanted, std::size_t index, std::string_view name) {
  const auto number = as_index(wanted);
  return number ? *number == index : contains(name, wanted);
}

bool is_meant(std::string_view wanted, std::size_t place, const DeviceInfo& device) {
  if (is_meant(wanted, place, device.name)) return true;
  if (wanted == pocl_device_name) return device.platform == pocl_platform_name;
  if (wanted == device.backend) return true;
  const auto colon = wanted.find(':');
  if (colon == std::string_view::npos) return false;
  return is_meant(wanted.substr(0, colon), device.platform_index, device.platform) &&
         is_meant(wanted.substr(colon + 1), device.device_index, device.name);
}

bool is_bound(const KernelArgument& argument, const Launch& launch) {
  if (is_device_memory(argument.kind))
    return std::ranges::any_of(launch.bindings,
                               [&](const Binding& each) { return binds(each, argument); });
  return std::ranges::any_of(launch.threadgroup_memory, [&](const ThreadgroupMemory& each) {
    return each.index == argument.index;
  });
}

std::optional<Failure> refuse_threadgroup_memory(std::string_view kernel, std::size_t bytes) {
  if (bytes <= threadgroup_memory_limit) return std::nullopt;
  return Failure{Failure::Cause::threadgroup_memory,
                 fmt::format("{} uses {} bytes of threadgroup memory; at most {} are allowed",
                             kernel, bytes, threadgroup_memory_limit)};
}

}  // namespace

bool may_be_the_devices(const Failure& failure) {
  using Cause = Failure::Cause;
  return failure.cause == Cause::signal || failure.cause == Cause::time_out ||
         failure.cause == Cause::out_of_memory;
}

std::string_view to_string(Failure::Cause cause) {
  switch (cause) {
    case Failure::Cause::build:
      return "build";
    case Failure::Cause::threadgroup_memory:
      return "threadgroup_memory";
    case Failure::Cause::thread_limit:
      return "thread_limit";
    case Failure::Cause::missing_binding:
      return "missing_binding";
    case Failure::Cause::run_time:
      return "run_time";
    case Failure::Cause::crash:
      return "crash";
    case Failure::Cause::signal:
      return "signal";
    case Failure::Cause::exit:
      return "exit";
    case Failure::Cause::time_out:
      return "time_out";
    case Failure::Cause::out_of_memory:
      return "out_of_memory";
    case Failure::Cause::outside:
      return "outside";
    case Failure::Cause::wrote_constant:
      return "wrote_constant";
    case Failure::Cause::wrong_pass:
      return "wrong_pass";
  }
  return "unknown";
}

std::size_t threadgroup_bytes(const KernelSignature& kernel, const Launch& launch) {
  auto bytes = kernel.threadgroup_bytes;
  for (const auto& memory : launch.threadgroup_memory) bytes += memory.bytes;
  return bytes;
}

std::optional<Failure> refuse_pipeline(const KernelSignature& kernel) {
  return refuse_threadgroup_memory(kernel.name, kernel.threadgroup_bytes);
}

std::optional<Failure> refuse_launch(const KernelSignature& kernel, const Launch& launch) {
  const auto threads = launch.threadgroup.count();
  if (threads == 0 || launch.grid.count() == 0)
    return Failure{Failure::Cause::run_time,
                   fmt::format("{} is launched without threads", kernel.name)};
  if (threads > kernel.cap())
    return Failure{Failure::Cause::thread_limit,
                   fmt::format("{} is launched with {} threads per threadgroup; it allows {}",
                               kernel.name, threads, kernel.cap())};
  for (const auto& argument : kernel.arguments)
    if (!is_bound(argument, launch))
      return Failure{
          Failure::Cause::missing_binding,
          fmt::format("nothing is bound to [[{}({})]] ({}) of {}", to_string(argument.kind),
                      argument.index, argument.name, kernel.name)};
  return refuse_threadgroup_memory(kernel.name, threadgroup_bytes(kernel, launch));
}

std::optional<Failure> refuse_plan(const Translation& translation, const Plan& plan) {
  for (const auto& launch : plan.launches) {
    const auto* kernel = translation.find(launch.kernel);
    if (!kernel)
      return Failure{Failure::Cause::missing_binding,
                     fmt::format("kernel {} not found", launch.kernel)};
    if (auto failure = refuse_launch(*kernel, launch)) return failure;
  }
  for (const auto& buffer : plan.buffers)
    for (const auto& function : buffer.functions)
      if (!translation.tables.find(function.name))
        return Failure{
            Failure::Cause::missing_binding,
            fmt::format("function {} not found among the [[visible]] functions", function.name)};
  return std::nullopt;
}

bool may_share_buffers(const Plan& plan, const Translation& translation) {
  for (const auto& launch : plan.launches) {
    const auto* kernel = translation.find(launch.kernel);
    if (kernel && kernel->loads_pointers) return true;
    std::set<std::size_t> bound;
    for (const auto& binding : launch.bindings)
      if (!bound.insert(binding.buffer).second) return true;
  }
  return false;
}

Result<std::size_t> choose_device(std::span<const DeviceInfo> devices, std::string_view wanted) {
  for (std::size_t place = 0; place < devices.size(); ++place)
    if (wanted.empty() || is_meant(wanted, place, devices[place])) return place;
  return Error{
      fmt::format("no device matches \"{}\"; known devices:\n{}", wanted, list_devices(devices))};
}

std::string list_devices(std::span<const DeviceInfo> devices) {
  std::string list;
  for (std::size_t place = 0; place < devices.size(); ++place) {
    const auto& device = devices[place];
    list += fmt::format("{}  {}:{}  {} ({}, back end {}, {} compute units, {:.1f} GiB)\n", place,
                        device.platform_index, device.device_index, device.name, device.platform,
                        device.backend, device.compute_units,
                        static_cast<double>(device.global_memory) / (1 << 30));
  }
  return list;
}

}  // namespace msci
