// Registers that a kernel needs at once.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include "analysis/profile/passes/work_of.h"

namespace msci {

// The registers that one run of a basic block needs.
struct RegisterNeeds {
  unsigned registers = 0;  // of 16 bits, of a thread, that hold values at once at the most
  // 32-bit registers that one run of the block stores and loads again, because they do not fit.
  unsigned spills = 0;
};

// The needs of each basic block of a kernel.
using LiveRegisters = llvm::DenseMap<const llvm::BasicBlock*, RegisterNeeds>;

// What the blocks of a kernel need in the order of their instructions, where a thread can have
// `allowed` 16-bit registers. Values that the threads of a dispatch share have registers of their
// own. Of values that do not fit, those go that are used again last.
LiveRegisters live_registers(const llvm::Function& kernel, const KernelWork& work,
                             unsigned allowed);

}  // namespace msci
