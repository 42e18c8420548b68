// The calls of msci.check.* in the IR of a checked translation, as analysis/check/passes/calls.h
// makes them. This is what a proof is about: that none of these calls reports a fault.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <optional>
#include <string>
#include <vector>

#include "analysis/check/fault.h"

namespace llvm {
class CallInst;
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace msci::prover {

// One call that checks or records an access.
struct AccessCall {
  const llvm::CallInst* call = nullptr;
  const llvm::Value* offset = nullptr;  // in bytes, from the first byte of the object
  unsigned bytes = 0;
  unsigned align = 1;                    // of a call that bounds
  const llvm::Value* object = nullptr;   // the number of the object
  unsigned location = 0;                 // the number of the place
  const llvm::Value* wrapped = nullptr;  // whether the index wrapped around; of a call that bounds
  bool bounds = false;                   // it checks that the access lies in the object
  bool records = false;                  // it is what other threads may race with
  bool writes = false;
  bool atomic = false;
  bool adds = false;                    // an atomic sum, which a store may delete
  bool stores = false;                  // an atomic store
  bool threadgroup = false;             // in threadgroup memory
  const llvm::Value* same = nullptr;    // of a write: whether memory already holds the value
  const llvm::Value* stored = nullptr;  // of a plain write: the value, where it is a number
};

// A condition that must hold: an index of a private array, of a row or of a vector is within it; a
// divisor is not zero, a shift is less than the width of its number, a conversion is exact.
struct Condition {
  const llvm::CallInst* call = nullptr;
  const llvm::Value* holds = nullptr;
  unsigned location = 0;
  Fault::Kind kind = Fault::Kind::out_of_bounds;  // where it does not hold
};

// What waits for other threads.
struct Barrier {
  const llvm::CallInst* call = nullptr;
  bool of_simdgroup = false;
  bool orders_device = false;
  bool orders_threadgroup = false;
  unsigned location = 0;
};

// What a kernel does with memory, in the order of its instructions.
struct KernelCalls {
  std::vector<AccessCall> accesses;
  std::vector<Condition> conditions;
  std::vector<Barrier> barriers;
  bool has_fence = false;
};

KernelCalls calls_of(const llvm::Function& kernel);

// The call's offset, if it bounds one: the value of the call as long as nothing is reported.
const llvm::Value* bounded_offset(const llvm::Value& value);

// The name of the function that an instruction calls; empty for other instructions.
std::string callee_of(const llvm::Value& value);

}  // namespace msci::prover
