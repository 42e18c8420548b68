// Tests of floats by their bits: fast math lets LLVM assume that every float is finite. Of a
// vector, each component is tested.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace msci {

llvm::Value* make_is_finite(llvm::IRBuilder<>& builder, llvm::Value* value);
llvm::Value* make_is_nan(llvm::IRBuilder<>& builder, llvm::Value* value);
// Whether the magnitude is at least a number, which the type can hold; NaN is.
llvm::Value* make_is_at_least(llvm::IRBuilder<>& builder, llvm::Value* value, double number);

}  // namespace msci
