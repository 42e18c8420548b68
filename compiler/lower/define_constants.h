// Function constants get the values that a host gives them.
#pragma once

#include <vector>

#include "compiler/constant_values.h"

namespace llvm {
class Module;
}

namespace msci {

// Afterwards the constants in `values`, and those that the source computes from them, are known
// where code is generated, and so is which of them are defined. Others stay as they are.
void define_function_constants(llvm::Module& ir, const std::vector<ConstantValue>& values);

}  // namespace msci
