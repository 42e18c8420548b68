#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/process/isolated_result.h"
#include "compiler/mesa/match_lines.h"
#include "compiler/spirv/spirv_kernel.h"
#include "evaluator/modes/modes.h"

namespace msci {
namespace {

// ---- SPIR-V from a process of its own: LLVM ends a process whose code it cannot select

using Packed = std::vector<std::string>;  // the module; the operations, as they lie in memory

Packed pack(const SpirvKernel& kernel) {
  const auto bytes = kernel.operations.size() * sizeof(CodeOperation);
  std::string operations(bytes, '\0');
  if (bytes > 0) std::memcpy(operations.data(), kernel.operations.data(), bytes);
  return {kernel.module, std::move(operations)};
}

Result<SpirvKernel> unpack(const Packed& packed) {
  if (packed.size() != 2 || packed[1].size() % sizeof(CodeOperation) != 0)
    return Error{"the process that made SPIR-V returned malformed data"};
  SpirvKernel kernel{.module = packed[0]};
  kernel.operations.resize(packed[1].size() / sizeof(CodeOperation));
  if (!packed[1].empty()) std::memcpy(kernel.operations.data(), packed[1].data(), packed[1].size());
  return kernel;
}

Result<SpirvKernel> isolated_spirv(const Translation& translation, const KernelSignature& kernel,
                                   const Limits& limits) {
  const auto packed = run_isolated_for<Packed>(
      [&]() -> Result<Packed> {
        const auto made = spirv_of(translation, kernel);
        if (!made) return made.error();
        return pack(*made);
      },
      limits, {"msci could not make SPIR-V of it"});
  return packed ? unpack(*packed) : packed.error();
}

}  // namespace

Result<CompiledByMesa> apple_code_of(const Translation& translation, const AppleGpu& gpu,
                                     const Limits& limits) {
  const auto mesa = find_mesa();
  if (!mesa) return Error{std::string(mesa_is_missing)};
  if (translation.ir.empty())
    return Error{
        "a translated program has no code for Mesa's compiler; name the Metal source instead"};
  std::vector<Result<SpirvKernel>> spirv;
  std::vector<std::string> modules;
  for (const auto& kernel : translation.kernels) {
    spirv.push_back(isolated_spirv(translation, kernel, limits));
    if (spirv.back()) modules.push_back(spirv.back()->module);
  }
  auto compiled = compile_with_mesa(*mesa, gpu, modules);
  if (!compiled) return compiled.error();
  CompiledByMesa result{compiled->device, compiled->version, {}};
  auto next = compiled->kernels.begin();
  for (std::size_t i = 0; i < spirv.size(); ++i) {
    auto code = spirv[i] ? std::move(*next++) : Result<MachineCode>(spirv[i].error());
    if (code) match_lines(code->main, spirv[i]->operations);
    result.kernels.push_back({translation.kernels[i].name, std::move(code)});
  }
  return result;
}

namespace {

std::string listing(const std::vector<MachineInstruction>& code) {
  std::string text;
  for (const auto& [address, bytes, words, line] : code) {
    const auto instruction = fmt::format("{:6x}: {:<24} {}", address, bytes, words);
    text += line == 0 ? instruction + "\n" : fmt::format("{:<86} // line {}\n", instruction, line);
  }
  return text;
}

std::string kernel_text(const KernelMachineCode& kernel) {
  if (!kernel.code)
    return fmt::format("// {}: no code: {}\n", kernel.kernel, kernel.code.error().message);
  const auto& code = *kernel.code;
  auto text = fmt::format("{}:\n  // {}\n", kernel.kernel, describe(code)) + listing(code.main);
  if (!code.preamble.empty())
    text += fmt::format("  // once before the threads of a launch: {} instructions\n",
                        code.preamble.size()) +
            listing(code.preamble);
  return text;
}

}  // namespace

Result<std::string> to_text(const CompiledByMesa& compiled) {
  const auto is_compiled = [](const KernelMachineCode& kernel) { return kernel.code.has_value(); };
  if (!compiled.kernels.empty() &&
      std::none_of(compiled.kernels.begin(), compiled.kernels.end(), is_compiled))
    return Error{fmt::format("no code of an Apple GPU for kernel '{}': {}",
                             compiled.kernels.front().kernel,
                             compiled.kernels.front().code.error().message)};
  auto text = fmt::format(
      "// {}, from the compiler of Mesa {}; Apple's own may differ.\n"
      "// The lines are estimates: the compiler does not print them.\n",
      compiled.device, compiled.version);
  for (const auto& kernel : compiled.kernels) text += "\n" + kernel_text(kernel);
  return text;
}

}  // namespace msci
