#pragma once

namespace llvm {
class Module;
}

namespace msci {

// No instruction has an integer constant that is computed from an address (`ptrtoint @tile`) as an
// operand: instructions compute it. No later step may fold them again.
void expand_address_constants(llvm::Module& ir);

}  // namespace msci
