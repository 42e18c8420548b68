// What a host passes to a kernel as registers.
#pragma once

#include "tasks/plan/program.h"

namespace llvm {
class Function;
}

namespace msci {

// The kernel with values instead of memory where it begins by reading constants at fixed places of
// its buffers, with buffers that begin where they are bound, and with a grid that is launched at
// once. Replaces `kernel`, which it erases.
llvm::Function* take_host_values(llvm::Function& kernel, const KernelSignature& signature);

}  // namespace msci
