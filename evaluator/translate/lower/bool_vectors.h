#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards a vector comparison counts 1 where it holds, as Metal's boolN does, not -1 as Clang's
// extended vectors do. Must run on unoptimised IR.
void count_true_as_one(llvm::Module& ir);

}  // namespace msci
