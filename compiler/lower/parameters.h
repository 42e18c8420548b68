#pragma once

#include <vector>

#include "compiler/interface.h"
#include "compiler/ir/reference_parameters.h"

namespace llvm {
class Module;
}

namespace msci {

// Afterwards each kernel is a function named by its symbol, with the parameters that program.h
// describes (buffer and offset, threadgroup memory, grid, threads per threadgroup). It computes
// thread positions from OpenCL's work-item functions at its start. Only kernels are visible from
// outside.
void give_opencl_parameters(llvm::Module& ir, const std::vector<KernelInterface>& interfaces);

}  // namespace msci
