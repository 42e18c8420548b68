// The steps of a translation, for kernels of a unit that are translated together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/constant_values.h"
#include "compiler/frontend/unit.h"
#include "compiler/instrument.h"
#include "compiler/print/print.h"
#include "tasks/plan/program.h"

namespace llvm {
class Function;
class Instruction;
class Module;
}  // namespace llvm

namespace msci {

// Some kernels of a source, without their text where that is made of `parts`.
struct TranslatedKernels {
  Translation translation;
  std::optional<TextParts> parts = {};  // none for instruments whose kernels are not printed
};

// Kernels that cannot be translated are in Translation::refused. Errors: the code generator failed,
// or made code that is not valid.
Result<TranslatedKernels> translate_kernels(Unit& unit, const std::vector<Kernel>& kernels,
                                            std::vector<ConstantValue> constants,
                                            const Instrument& instrument = {});

// The numbers that the code of kernels holds, which a kernel may compare sizes and inputs with.

// Of all functions that have a body. Arguments of functions count if these are mathematical.
KernelNumbers numbers_in(const llvm::Module& ir);

// What OpenCL C text cannot express.
struct Unsupported {
  std::string what;  // "double precision; write 0.5f instead of 0.5"
  const llvm::Instruction* where = nullptr;
};

// The first thing in a lowered kernel that print() has no text for. print() takes only kernels
// without one.
std::optional<Unsupported> first_unsupported(const llvm::Function& kernel);

// Whether a kernel calls what is not inlined, accesses memory through a pointer without an address
// space or one made from an integer, or needs a constant that has no value: its code does not say
// all that it does.
bool is_incomplete(const llvm::Function& kernel);

}  // namespace msci
