// How long the instructions of a block wait for each other.
#pragma once

#include "analysis/profile/passes/work_of.h"

namespace msci {

// The chains of a block; its other members are empty.
BlockCode longest_chains(const llvm::BasicBlock& block, const KernelWork& work);

}  // namespace msci
