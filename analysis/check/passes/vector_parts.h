// Which components of a vector an access to memory is about. Clang stores a component by loading
// the vector, changing it, and storing all of it.
#pragma once

#include <cstdint>

namespace llvm {
class LoadInst;
class StoreInst;
}  // namespace llvm

namespace msci {

// The components of a loaded value that something is made of, one bit each; of a scalar, the first.
// Components that only go back to where they come from do not count.
std::uint64_t parts_used(const llvm::LoadInst& load);

// The components of a stored value that something was put into, likewise.
std::uint64_t parts_stored(const llvm::StoreInst& store);

}  // namespace msci
