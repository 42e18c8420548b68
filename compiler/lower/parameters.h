#pragma once

#include <vector>

#include "compiler/interface.h"

namespace llvm {
class Module;
}

namespace msci {

// The attribute of a kernel's parameter for a `constant T&`; its value is the size of T.
constexpr const char* reference_bytes = "msci.reference_bytes";

// Afterwards each kernel is a function named by its symbol, with the parameters that program.h
// describes (buffer and offset, threadgroup memory, grid, threads per threadgroup). It computes
// thread positions from OpenCL's work-item functions at its start. Only kernels are visible from
// outside.
void give_opencl_parameters(llvm::Module& ir, const std::vector<KernelInterface>& interfaces);

}  // namespace msci
