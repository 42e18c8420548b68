#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards a kernel reads the values of its `constant T&` arguments at its start, used or not: a
// driver that turns the threads of a threadgroup into a loop then reads them once for all threads.
// The driver cannot do so itself: only the translator knows that these addresses are readable.
void read_references_first(llvm::Module& ir);

}  // namespace msci
