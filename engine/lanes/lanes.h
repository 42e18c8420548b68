// Runs the lanes of a simdgroup one after another. They wait for each other where they meet: at
// functions of the simdgroup and at barriers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/threadgroup/run_order.h"
#include "engine/threadgroup/simdgroup.h"
#include "engine/vectors/specialise.h"
#include "engine/vectors/vectorise.h"

namespace msci::engine {

// Called by generated code where lanes meet. `point`: the number of the place; the lanes that wait
// at the earliest place go on together (compiler/convergence.h). `function`: the name of what they
// meet for, "msci.simd.sum.f32". The result is what it gives this lane.
std::uint64_t meet(std::uint32_t point, const char* function, std::uint32_t value,
                   std::uint32_t argument);

// The stacks of lanes. Of one thread.
class Lanes {
 public:
  explicit Lanes(const Execution& execution);
  ~Lanes();
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  // Before the simdgroups of a threadgroup run. `stack_bytes`: of the private arrays of a lane.
  void begin_threadgroup(LaneFunction function, bool meets, std::size_t stack_bytes);
  // Whether that address is in a guard page: a stack overflowed.
  bool is_guard(const void* address) const;

  // A KernelFunction: runs one simdgroup by the Lanes of its threadgroup.
  static void run(const Threadgroup* threadgroup, std::uint32_t group, std::uint32_t groups_end,
                  std::uint32_t simdgroup, std::uint32_t simdgroups_end);

 private:
  struct Simdgroup;
  void run_simdgroup(const Threadgroup& threadgroup, std::uint32_t group, std::uint32_t simdgroup,
                     std::uint32_t count);
  void run_meeting(Simdgroup& simdgroup, std::uint32_t count);

  RunOrder order_;
  LaneFunction function_ = nullptr;
  bool meets_ = false;
  std::size_t stack_bytes_ = 0;
  std::vector<std::unique_ptr<Simdgroup>> simdgroups_;
  std::size_t used_ = 0;  // of them, by the current threadgroup
};

// The functions of a simdgroup and of a quadgroup, lane by lane.

// 32 bits of each lane: an integer, or the bits of a float.
using LaneWords = std::array<std::uint32_t, lane_count>;

// What a function such as "msci.simd.sum.f32" gives each lane of `active`; the elements of other
// lanes mean nothing. Sums of floats are added as vectors add them: the results have the same bits.
LaneWords combine_lanes(std::string_view function, std::uint32_t active, const LaneWords& values,
                        const LaneWords& arguments);

// A kernel for one thread becomes a function for one lane, in scalar code: its functions of the
// simdgroup and its barriers become meetings (lanes.h).

// Changes the kernel's module, which becomes one of the host: its one function is then a
// LaneFunction. `waits` of the result: at meetings. `stack_bytes`: of one lane.
VectorKernel make_lane_code(llvm::Function& kernel, std::optional<Extent> shape);

}  // namespace msci::engine
