// The static threadgroup memory of a kernel.
#pragma once

#include <cstddef>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
}  // namespace llvm

namespace msci {

// The threadgroup variables that the kernel uses, in the module's order.
std::vector<llvm::GlobalVariable*> threadgroup_variables_of(llvm::Function& kernel);

// The bytes that they take.
std::size_t threadgroup_bytes_of(llvm::Function& kernel);

}  // namespace msci
