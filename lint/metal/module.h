// The LLVM IR of a parsed source.
#pragma once

#include <memory>
#include <vector>

#include "lint/metal/unit.h"

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

// Whether instructions know the places that they were made for.
enum class WithPlaces { no, yes };

// Unoptimised IR of every kernel of a unit that compiled, and of all that they call. Kernels keep
// their order; their functions are named by their mangled names. Errors: Clang's code generator
// said no.
Result<Module> lower(Unit& unit, WithPlaces places = WithPlaces::no);

}  // namespace msci
