// The LLVM IR of a parsed source.
#pragma once

#include <memory>
#include <span>

#include "compiler/frontend/unit.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace msci {

// Owns the LLVM module and the context that it lives in.
class Module {
 public:
  Module(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> ir);
  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;
  ~Module();
  llvm::Module& ir() { return *ir_; }

 private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> ir_;
};

// Whether instructions know the source locations that they were generated for.
enum class WithLocations { no, yes };
// Whether the calls of assert() and of an os_log stay, as msci.assert and msci.log. Without them,
// nothing of their arguments remains but side effects.
enum class DebugCalls { drop, keep };

// Unoptimised IR of every kernel of a unit that compiled, and of all functions that they call.
// Kernels keep their order; their functions have their mangled names. Errors: Clang's code
// generator failed.
Result<Module> lower(Unit& unit, WithLocations locations = WithLocations::no);
// The same for some of the unit's kernels.
Result<Module> lower(Unit& unit, std::span<const Kernel> kernels, WithLocations locations,
                     DebugCalls debug_calls = DebugCalls::drop);

}  // namespace msci
