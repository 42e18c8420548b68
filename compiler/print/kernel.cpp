#include <llvm/IR/Module.h>

#include <bit>

#include "compiler/convergence.h"
#include "compiler/ir/spaces.h"
#include "compiler/ir/threadgroup_variables.h"
#include "compiler/print/kernel_printer.h"

namespace msci {

std::string KernelPrinter::print() {
  name_parameters();
  declare_threadgroup_memory();
  // Definitions come before their uses; jumps may skip a declaration in C.
  const auto order = reconvergence_order(function_);
  for (auto* block : order) names_[block] = fmt::format("b{}", blocks_++);
  if (form_ == Form::resumable) dispatched_ = back_edges_beside_waits(function_);
  meets_ = form_ == Form::direct && lanes_may_stay_apart(function_);
  for (auto* block : order) print_block(*block);
  if (meets_)
    declarations_ += fmt::format("  const uint top = {:#x}u;\n", std::bit_floor(waits_ << 1 | 1));
  return fmt::format("__kernel void {}({}) {{\n{}{}{}{}}}\n", signature_.symbol, parameters_,
                     declarations_, form_ == Form::resumable ? resumable_beginning() : "", body_,
                     form_ == Form::resumable ? resumable_end() : "");
}

void KernelPrinter::name_parameters() {
  unsigned next = 0;
  const auto take = [&](const std::string& type, std::string name) {
    parameters_ += fmt::format("{}{} {}", parameters_.empty() ? "" : ", ", type, name);
    names_[function_.getArg(next++)] = std::move(name);
  };
  // NVIDIA's driver aligns the memory as the parameter's type requires, and no more.
  const auto take_threadgroup_memory = [&](const std::string& name) {
    declarations_ += fmt::format("  __local uchar* {0} = (__local uchar*){0}_memory;\n", name);
    take("__local ulong2*", name + "_memory");
    names_[function_.getArg(next - 1)] = name;
  };
  for (std::size_t i = 0; i < signature_.arguments.size(); ++i) {
    const bool buffer = is_device_memory(signature_.arguments[i].kind);
    const bool alone = function_.getArg(next)->hasNoAliasAttr();
    // Of others a device knows when it is told what is bound.
    const auto* promise = alone ? " restrict" : " MSCI_RESTRICT";
    const auto name = fmt::format("arg{}", i);
    if (buffer) {
      take(fmt::format("__global uchar*{}", promise), name);
      take("ulong", fmt::format("offset{}", i));
    } else {
      take_threadgroup_memory(name);
    }
  }
  for (const char* name : {"grid_x", "grid_y", "grid_z", "threads_x", "threads_y", "threads_z"})
    take("uint", name);
}

// Threadgroup variables that are still used; OpenCL wants them at kernel scope.
void KernelPrinter::declare_threadgroup_memory() {
  for (auto* variable : threadgroup_variables_of(function_)) {
    const auto bytes = layout_.getTypeAllocSize(variable->getValueType()).getFixedValue();
    const auto align = std::max<std::uint64_t>(variable->getAlign().valueOrOne().value(), 16);
    const auto name = fmt::format("shared{}", shared_++);
    declarations_ +=
        fmt::format("  __local uchar {}[{}] __attribute__((aligned({})));\n", name, bytes, align);
    names_[variable] = name;
  }
}

}  // namespace msci
