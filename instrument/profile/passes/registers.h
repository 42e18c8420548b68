// Registers that a kernel needs at once.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include "instrument/profile/passes/work_of.h"

namespace msci {

// Of each block.
using LiveRegisters = llvm::DenseMap<const llvm::BasicBlock*, unsigned>;

// The most 16-bit registers of a thread that hold values at any place of a block, in the order of
// its instructions. Values that the threads of a dispatch share have registers of their own.
LiveRegisters live_registers(const llvm::Function& kernel, const KernelWork& work);

}  // namespace msci
