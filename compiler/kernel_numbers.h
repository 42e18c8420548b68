// The numbers that the code of kernels holds, which a kernel may compare sizes and inputs with.
#pragma once

#include "tasks/plan/program.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace msci {

// Of all functions that have a body. Arguments of functions count if these are mathematical.
KernelNumbers numbers_in(const llvm::Module& ir);

}  // namespace msci
