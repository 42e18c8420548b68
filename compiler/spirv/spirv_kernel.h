// A translated kernel as SPIR-V, for compilers of GPUs.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/mesa/code_operation.h"
#include "tasks/plan/program.h"

namespace msci {

struct SpirvKernel {
  std::string module;                     // SPIR-V of OpenCL's environment, with this kernel alone
  std::vector<CodeOperation> operations;  // of its code, in order
};

// A kernel of a translation, as a Metal compiler would see it: constants of the host are values in
// registers, buffers begin where they are bound, positions have 32 bits, threadgroups have as many
// threads as the kernel declares, or 256. Loops are unrolled as far as GPU compilers do. The lines
// are those of a translation for reading. LLVM may end the process, so call it in an isolated one.
// Errors: the kernel uses what SPIR-V or msci's step to it lacks.
Result<SpirvKernel> spirv_of(const Translation& translation, const KernelSignature& kernel);

}  // namespace msci
