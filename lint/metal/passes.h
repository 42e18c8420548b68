// LLVM's pass managers, met here alone.
#pragma once

#include <llvm/IR/PassManager.h>

namespace msci {

// Optional passes of the names in `left_out` ("VectorCombinePass") are not run.
void run(llvm::Module& ir, llvm::ModulePassManager passes,
         std::initializer_list<llvm::StringRef> left_out = {});
void run(llvm::Module& ir, llvm::FunctionPassManager passes);  // on every function

}  // namespace msci
