// The functions of OpenCL C for those that a translation calls.
#pragma once

#include <optional>

#include "base/result.h"

namespace llvm {
class Function;
}

namespace msci {

// Calls of msci's own functions become calls of OpenCL's, with the names that LLVM's SPIR-V target
// knows. Where the source allows approximations, they are the native functions. Errors: a function
// that OpenCL has not, by its name.
[[nodiscard]] std::optional<Error> call_opencl_functions(llvm::Function& kernel);

// LLVM makes `x & 0xffffffff` of an integer of 32 bits that becomes one of 64. Mesa's compiler adds
// an index to an address within the access only where it sees the integer of 32 bits, so the mask
// becomes a conversion: by OpenCL's function, because LLVM's SPIR-V target would restore the mask.
void extend_again(llvm::Function& kernel);

}  // namespace msci
