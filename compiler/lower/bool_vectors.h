#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards a true element of a vector comparison is 1, as in Metal's boolN, not -1 as in Clang's
// extended vectors. Must run on unoptimised IR.
void count_true_as_one(llvm::Module& ir);

}  // namespace msci
