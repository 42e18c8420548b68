#include "tasks/plan/bindings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/scalar.h"

namespace msci {
namespace {

const KernelArgument* find_buffer(const KernelSignature& kernel, unsigned index) {
  const auto found =
      std::find_if(kernel.arguments.begin(), kernel.arguments.end(), [&](const auto& argument) {
        return argument.kind == KernelArgument::Kind::buffer && argument.index == index;
      });
  return found == kernel.arguments.end() ? nullptr : &*found;
}

bool is_constant(const ContractArgument& argument) {
  if (argument.kind == ArgumentKind::sampler) return true;
  if (argument.kind == ArgumentKind::texture)
    return argument.type.find("write") == std::string::npos;
  return argument.type.starts_with("constant ") || argument.type.starts_with("device const ");
}

}  // namespace

bool binds(const Binding& binding, const KernelArgument& argument) {
  return binding.kind == argument.kind && binding.index == argument.index;
}

const ContractArgument* find_contract(const Task& task, const Launch& launch,
                                      const Binding& binding) {
  for (const auto& kernel : task.kernels)
    if (kernel.name == launch.kernel)
      for (const auto& argument : kernel.arguments)
        if (argument.kind == binding.kind && argument.index == binding.index) return &argument;
  return nullptr;
}

std::vector<std::string> mismatched_buffers(const Task& task, const Translation& translation) {
  std::vector<std::string> misread;
  for (const auto& contract : task.kernels) {
    const auto* kernel = translation.find(contract.name);
    if (!kernel) continue;
    for (const auto& bound : contract.arguments) {
      if (bound.kind != ArgumentKind::buffer) continue;
      const auto* argument = find_buffer(*kernel, bound.index);
      if (!argument) continue;
      const auto taken = scalar_of(argument->type), given = scalar_of(bound.type);
      if (taken && given && taken != given)
        misread.push_back(
            fmt::format("{} reads {} at [[buffer({})]] ('{}'), where the task binds {}",
                        contract.name, argument->type, bound.index, argument->name, bound.type));
    }
  }
  return misread;
}

std::optional<std::string> find_short_value(const Task& task, const Translation& translation) {
  for (const auto& contract : task.kernels)
    for (const auto& bound : contract.arguments) {
      const auto* kernel = translation.find(contract.name);
      if (!kernel || bound.kind != ArgumentKind::buffer) continue;
      const auto* argument = find_buffer(*kernel, bound.index);
      const auto given = bound_value_bytes(bound.type);
      const auto taken = argument ? value_bytes(argument->type) : std::nullopt;
      if (!given || !taken || *taken <= *given) continue;
      const auto packed = "packed_" + argument->type;
      const bool fits_packed = value_bytes(packed) == given;
      return fmt::format(
          "{} takes {} bytes for '{}' at [[buffer({})]] ({}), where the plan binds {} bytes; bind "
          "{}{}",
          contract.name, *taken, argument->name, bound.index, argument->type, *given, *taken,
          fits_packed ? fmt::format(", or take {}", packed) : "");
    }
  return std::nullopt;
}

void mark_constant_buffers(const Task& task, Plan& plan) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    bool is_bound = false, is_written = false;
    for (const auto& launch : plan.launches)
      for (const auto& binding : launch.bindings) {
        if (binding.buffer != i) continue;
        const auto* argument = find_contract(task, launch, binding);
        is_bound = true;
        is_written = is_written || !argument || !is_constant(*argument);
      }
    for (const auto& buffer : plan.buffers)
      for (const auto& pointer : buffer.pointers) {
        if (pointer.buffer != i) continue;
        is_bound = true;
        is_written = is_written || !pointer.read_only;
      }
    plan.buffers[i].constant = is_bound && !is_written;
  }
}

}  // namespace msci
