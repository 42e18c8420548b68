// LLVM's pass managers, met here alone.
#pragma once

#include <llvm/IR/PassManager.h>

namespace msci {

void run(llvm::Module& ir, llvm::ModulePassManager passes);
void run(llvm::Module& ir, llvm::FunctionPassManager passes);  // on every function

}  // namespace msci
