// Pointers that lie in memory: in argument buffers, and where kernels store them.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace msci {

// An object that is one pointer, such as a texture, is copied as that pointer: LLVM would copy its
// eight bytes as an integer. Call before the first simplification.
void copy_as_pointers(llvm::Module& ir);

// A `constant` pointer in memory is the address of a buffer, like a `device` pointer, so loads and
// stores of such pointers become those of `device` pointers. Call before address spaces are
// inferred.
void name_stored_pointers(llvm::Function& function);

// Whether a kernel loads `device` pointers from memory other than its own variables, and so may
// reach buffers that it is not bound to.
bool loads_pointers(const llvm::Function& kernel);

// Whether a kernel stores `device` pointers to device memory, so that what it leaves there depends
// on where buffers lie.
bool stores_pointers(const llvm::Function& kernel);

}  // namespace msci
