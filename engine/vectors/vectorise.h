// A kernel for one thread becomes a function for one simdgroup: values that differ among lanes
// become vectors of 32 elements, and branches whose lanes part become masks (docs/cpu_engine.md).
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

}  // namespace msci::engine
