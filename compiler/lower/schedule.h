#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards each block computes and loads values right before their first use in it, operands from
// left to right, as in a written expression. LLVM's own order has all loads of a sum before its
// first addition; drivers that keep the order of the text then run out of registers.
void schedule_for_pressure(llvm::Module& ir);

}  // namespace msci
