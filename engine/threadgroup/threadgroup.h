// Runs the simdgroups of one threadgroup on one thread of the processor.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/threadgroup/run_order.h"
#include "engine/threadgroup/simdgroup.h"

namespace msci::engine {

// Called by generated code at a barrier: returns when all other simdgroups of the threadgroup wait
// at one or have ended.
void wait_for_threadgroup();

// The stacks on which the simdgroups of a threadgroup run in turns. Of one thread.
class Stacks {
 public:
  Stacks();
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  // Runs each simdgroup of a threadgroup to its end. `stack_bytes`: of the private arrays of one.
  // `order`: of the simdgroups, asked again after each barrier.
  void run(KernelFunction function, const Threadgroup& threadgroup, std::uint32_t simdgroups,
           std::size_t stack_bytes, RunOrder& order);
  // Whether that address is in a guard page: a stack overflowed.
  bool is_guard(const void* address) const;

 private:
  struct Stack;
  void prepare(std::size_t count, std::size_t bytes);

  std::vector<Stack> stacks_;
  std::size_t bytes_ = 0;  // of each
};

}  // namespace msci::engine
