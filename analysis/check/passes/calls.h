// The calls that a checked kernel makes in LLVM IR. The engine defines them
// (engine/check/check_functions.h).
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "analysis/check/fault.h"
#include "compiler/ir/source_locations.h"

namespace msci {

// What the run-time functions check of an access.
struct CheckedAccess {
  llvm::Value* offset = nullptr;  // from the object's beginning, in bytes
  unsigned bytes = 0;
  unsigned align = 1;
  llvm::Value* object = nullptr;   // its number
  llvm::Value* wrapped = nullptr;  // whether computing the index wrapped around
  unsigned location = 0;
  AccessKind kind = AccessKind::read;
  bool threadgroup = false;
};

// A run-time function touches nothing that the kernel could read.
void describe_runtime_function(llvm::Function& function);

// The offset of the access, or a harmless one where the access is reported. call_read records the
// read; call_write records a write, once it is known whether it leaves memory unchanged. `stored`
// is the value, because the lanes of a simdgroup write at once; null if it is unknown.
llvm::Value* call_read(llvm::IRBuilder<>& builder, const CheckedAccess& access);
llvm::Value* call_reach(llvm::IRBuilder<>& builder, const CheckedAccess& access);
void call_write(llvm::IRBuilder<>& builder, const CheckedAccess& access, llvm::Value* same,
                llvm::Value* stored);
// Reports `kind` unless `holds`.
void call_hold(llvm::IRBuilder<>& builder, llvm::Value* holds, Fault::Kind kind, unsigned location,
               AccessKind access);

// The number of the object that an address from memory leads into (the last object takes what leads
// into none), and a pointer to where an object's memory begins.
llvm::Value* call_find(llvm::IRBuilder<>& builder, llvm::Value* address);
llvm::Value* call_base(llvm::IRBuilder<>& builder, llvm::Value* object);

// Reports an infinite or NaN result unless it `is_fine`: the operation of that number, and five
// words: the bits of its operands and of its result as floats, and the offset of an element in the
// object of that number, which was read at another location; 0 without one.
void call_birth(llvm::IRBuilder<>& builder, llvm::Value* is_fine, unsigned location,
                unsigned operation, unsigned read_at, unsigned object,
                llvm::ArrayRef<llvm::Value*> words);

// Where a value comes from (origin_unwritten) that is read at the offset in a threadgroup array: 0
// if it was written.
llvm::Value* call_unwritten(llvm::IRBuilder<>& builder, llvm::Value* offset, llvm::Value* bytes,
                            llvm::Value* object, llvm::Value* location);

// Returns `value`, marked for check_values: unless `holds`, it was read from private memory that
// was never written. Other passes take the mark for a call of an unknown function.
llvm::CallInst* call_private(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Value* holds,
                             unsigned location);
bool is_private(const llvm::Value& value);

// Reports the use of a value unless its `origin` is 0.
void call_used(llvm::IRBuilder<>& builder, llvm::Value* origin, unsigned location);

// Tells that a loop begins an iteration, at the builder's debug location.
void call_loop(llvm::IRBuilder<>& builder, SourceLocations& locations);

// Records a message: the debug call of that number, its place, and what the message shows.
void call_log(llvm::IRBuilder<>& builder, unsigned number, unsigned place,
              llvm::ArrayRef<llvm::Value*> words);

// Removes the checks of call_hold whose condition has become true.
void drop_what_holds(llvm::Module& ir);

}  // namespace msci
