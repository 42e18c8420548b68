#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards each block computes and reads values where they are first needed in it, operands from
// left to right, as one would write an expression down. LLVM's own order has all loads of a sum
// before its first addition, and drivers that keep near the order of the text run out of registers
// over it.
void order_by_need(llvm::Module& ir);

}  // namespace msci
