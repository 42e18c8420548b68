// A translated kernel as SPIR-V, for compilers of GPUs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/mesa/code_operation.h"
#include "tasks/plan/program.h"

namespace llvm {
class Function;
}

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

// What the code of a kernel does, in order.

// The operations of a kernel's IR, block by block in reverse postorder, with the lines of its debug
// locations. A vector's operation counts for each of its elements, an access of memory once.
std::vector<CodeOperation> operations_of(llvm::Function& kernel);

// What a host passes to a kernel as registers.

// The kernel with values instead of memory where it begins by reading constants at fixed places of
// its buffers, with buffers that begin where they are bound, and with a grid that is launched at
// once. Replaces `kernel`, which it erases.
llvm::Function* take_host_values(llvm::Function& kernel, const KernelSignature& signature);

// The functions of OpenCL C for those that a translation calls.

// Calls of msci's own functions become calls of OpenCL's, with the names that LLVM's SPIR-V target
// knows. Where the source allows approximations, they are the native functions. Errors: a function
// that OpenCL has not, by its name.
[[nodiscard]] std::optional<Error> call_opencl_functions(llvm::Function& kernel);

// LLVM makes `x & 0xffffffff` of an integer of 32 bits that becomes one of 64. Mesa's compiler adds
// an index to an address within the access only where it sees the integer of 32 bits, so the mask
// becomes a conversion: by OpenCL's function, because LLVM's SPIR-V target would restore the mask.
void extend_again(llvm::Function& kernel);

}  // namespace msci
