// A kernel for one thread becomes a function for one simdgroup: values that differ among lanes
// become vectors of 32 elements, and branches whose lanes part become masks
// (docs/concepts/cpu_engine.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tasks/plan/plan.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace msci::engine {

struct VectorOptions {
  std::optional<Extent> shape;  // of all threadgroups that will run it; none: of any
  // The last threadgroup of a row has lanes outside of the grid, which do not run. The shape's rows
  // are one simdgroup wide.
  bool is_clipped = false;
  // Which pointer parameters alone lead to what they point to, and which of these the kernel only
  // reads; by number of the kernel's parameter.
  std::vector<bool> alone;
  std::vector<bool> constant;
  unsigned vector_bits = 512;  // that the code may use
  bool checked = false;        // the kernel calls checks (analysis/check/passes/calls.h)
  bool counted = false;        // it calls counters (analysis/profile/passes/count_work.h)
  bool with_lines = false;     // the code names the lines of the source, for people who read it
  bool covered = false;        // it marks outcomes (analysis/coverage/passes/cover_outcomes.h)
};

// What runs the function must know.
struct VectorKernel {
  std::string symbol;  // a KernelFunction of simdgroup.h
  std::size_t threadgroup_bytes = 0;
  std::size_t stack_bytes = 0;  // of private arrays
  bool waits = false;           // at barriers of the threadgroup
  bool checks_fences = false;   // the order that fences make is a part of the checks
  std::size_t blocks = 0;       // that a counted kernel counts
  std::size_t sites = 0;        // accesses that it counts
  std::size_t outcomes = 0;     // that a covered kernel marks
};

// Adds the function for `kernel`, which it specialises, to `to`, a module of the host in the same
// context.
VectorKernel vectorise(llvm::Function& kernel, llvm::Module& to, const VectorOptions& options);

// A way round a fault of LLVM.

// Keeps from the code generator which lanes of a vector are constant where others are not: it loads
// them from a variable, in functions that multiply vectors of 64-bit numbers. LLVM 22 generates
// wrong code for x86-64 if such a vector leads to a product of which only the upper halves are
// used, and so does its own `llc`. To be called after all optimisations.
void hide_partial_constants(llvm::Module& module);

// Stores of rows whose lanes all run, on processors without registers for masks.

// A long store under a mask becomes a branch: a plain store if all lanes of the mask are set, and
// the one under the mask otherwise. With AVX2, processors of AMD take many times as long for a
// store under a mask. To be called after all optimisations.
void store_whole_rows(llvm::Module& module);

}  // namespace msci::engine
