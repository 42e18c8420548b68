#include "evaluator/plan/bindings.h"

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

}  // namespace

std::vector<std::string> mismatched_buffers(const Task& task, const Translation& translation) {
  std::vector<std::string> misread;
  for (const auto& contract : task.kernels) {
    const auto* kernel = translation.find(contract.name);
    if (!kernel) continue;
    for (const auto& bound : contract.arguments) {
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

}  // namespace msci
