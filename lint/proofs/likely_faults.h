// Faults that a proof finds in the launches that a source suggests: races, accesses outside of
// arrays, and barriers that only some threads reach.
#pragma once

#include <string>
#include <vector>

#include "analysis/proofs/kernel_proof.h"
#include "base/source.h"
#include "compiler/frontend/unit.h"
#include "lint/contract.h"

namespace msci {

struct LikelyFault {
  std::string kernel;  // as the host calls it
  ProofSubject subject = ProofSubject::bounds;
  std::string object;           // the buffer or array; empty for barriers
  bool in_threadgroup = false;  // rather than in device memory
  Place first;                  // where the first thread is
  Place second;                 // of a race
  bool both_write = false;      // of a race, whose first thread always writes
  // Of a race: whether a barrier lies between that does not order this memory.
  bool behind_barrier = false;
  std::string threads;  // "threads 0 and 32 of a threadgroup of 64"
};

// Of a kernel, if it is worth proving, without those that the launches of the contract's task
// cannot have. Made for all kernels of the unit at the first call, each in a process of its own.
// What other kernels the unit has changes none, as long as the steps of the file last. Where faults
// may be missing, the ProofCoverage in the unit's cache says so.
std::vector<LikelyFault> likely_faults(const clang::FunctionDecl& kernel, const Unit& unit,
                                       const Contract& contract);

}  // namespace msci
