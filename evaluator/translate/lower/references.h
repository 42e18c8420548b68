#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards a kernel reads what its `constant T&` arguments refer to at its start, whether it
// comes to use it or not: a driver that makes loops of a threadgroup's threads then reads it once
// for all of them. (It may not do so by itself: only the translator knows that these addresses can
// be read.)
void read_references_first(llvm::Module& ir);

}  // namespace msci
