// The last step: LLVM IR → OpenCL C 1.2 text. A plain walk that makes no decisions.
#pragma once

#include <string>
#include <vector>

#include "evaluator/program.h"
#include "lint/metal/result.h"

namespace llvm {
class Module;
}

namespace msci {

class Places;

// Prints each kernel's function (named by its symbol) with one label and goto per basic block, and
// completes its signature: bytes of threadgroup memory that are left, use of simdgroup functions.
// Integers are unsigned, signedness stands at the operations; halves are floats, rounded after each
// operation, so that no device needs fp16. Errors: what the text cannot express, with the kernel's
// name.
// With `places` the text is a checked one (translate/check/), whose faults name places by number.
Result<std::string> print(llvm::Module& ir, std::vector<KernelSignature>& kernels,
                          Places* places = nullptr);

}  // namespace msci
