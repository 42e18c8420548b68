// The fast variants of Metal's mathematical functions, as formulas.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace msci {

// The formula for a call in single precision, by the Metal specification's table for fast math:
// built from exp2, log2, sin and cos of small arguments, sqrt and division. Null for other
// functions.
llvm::Value* fast_variant(const llvm::CallInst& call, llvm::IRBuilder<>& builder);

}  // namespace msci
