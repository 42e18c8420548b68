// The calls that a checked kernel makes in LLVM IR; print() spells them, runtime.cpp defines them.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "evaluator/fault.h"

namespace msci {

// How memory is touched, as the run-time functions count.
enum class Touch : unsigned { read = 0, write = 1, update = 2, atomic_write = 3 };

// All that an access is to be judged by.
struct CheckedAccess {
  llvm::Value* offset = nullptr;  // from the object's beginning, in bytes
  unsigned bytes = 0;
  unsigned align = 1;
  llvm::Value* object = nullptr;   // its number
  llvm::Value* wrapped = nullptr;  // whether computing the index wrapped around
  unsigned place = 0;
  Touch touch = Touch::read;
  bool threadgroup = false;
};

// Where the access may go: its own offset unless it is reported. A read is recorded with that, a
// write once it is known whether it leaves memory as it was.
llvm::Value* call_read(llvm::IRBuilder<>& builder, const CheckedAccess& access);
llvm::Value* call_reach(llvm::IRBuilder<>& builder, const CheckedAccess& access);
void call_write(llvm::IRBuilder<>& builder, const CheckedAccess& access, llvm::Value* same);
// Reports `kind` unless `holds`.
void call_hold(llvm::IRBuilder<>& builder, llvm::Value* holds, Fault::Kind kind, unsigned place,
               Touch touch);

// Reports where `origin` says that a word was asked for in vain: something depends on it.
void call_lane_used(llvm::IRBuilder<>& builder, llvm::Value* origin, unsigned place);

// Takes away what call_hold made of conditions that turned out to hold always.
void drop_what_holds(llvm::Module& ir);

}  // namespace msci
