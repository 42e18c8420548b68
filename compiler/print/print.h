// The last step: LLVM IR → OpenCL C 1.2 text. A plain walk that makes no decisions.
#pragma once

#include <string>
#include <vector>

#include "plan/program.h"

namespace llvm {
class Module;
}

namespace msci {

// Prints each kernel's function (named by its symbol) with one label and goto for each basic block,
// and completes its signature: the bytes of threadgroup memory that are left, the use of simdgroup
// functions. Integers are unsigned, signedness stands at the operations. Halves are floats, rounded
// after each operation, so that no device needs fp16.
// With line comments, each statement ends with the line of its debug location: "// line 12".
// first_unsupported() must have found nothing in any kernel, and none has checks or counters.
enum class LineComments { no, yes };
std::string print(llvm::Module& ir, std::vector<KernelSignature>& kernels,
                  LineComments comments = LineComments::no);

}  // namespace msci
