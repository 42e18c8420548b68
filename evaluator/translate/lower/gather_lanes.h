#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards functions that lanes carry out together stand side by side where they are in one block
// and none needs another's answer: a device that must wait for each can then wait for several at
// once.
void gather_lanes(llvm::Module& ir);

}  // namespace msci
