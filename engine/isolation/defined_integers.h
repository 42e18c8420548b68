// Integer operations with one result each, so that what is known of a value holds for what the
// processor computes.
#pragma once

namespace llvm {
class Function;
}

namespace msci::engine {

// Afterwards, no integer operation of the kernel has an undefined result or promises that it has a
// defined one: sums wrap around, shifts use the low bits of their distance, and x / 0 is x. LLVM
// may assume that what is undefined does not happen, and a hostile kernel makes it happen.
void define_integers(llvm::Function& kernel);

}  // namespace msci::engine
