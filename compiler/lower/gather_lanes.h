#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards lane functions stand side by side where they are in one block, near each other, and
// none needs the result of another: a device that must wait for each can then wait for several at
// once.
void gather_lanes(llvm::Module& ir);

}  // namespace msci
