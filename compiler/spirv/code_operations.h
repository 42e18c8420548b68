// What the code of a kernel does, in order.
#pragma once

#include <vector>

#include "compiler/mesa/code_operation.h"

namespace llvm {
class Function;
}

namespace msci {

// The operations of a kernel's IR, block by block in reverse postorder, with the lines of its debug
// locations. A vector's operation counts for each of its elements, an access of memory once.
std::vector<CodeOperation> operations_of(llvm::Function& kernel);

}  // namespace msci
