// A kernel for one thread becomes a function for one lane, in scalar code: its functions of the
// simdgroup and its barriers become meetings (lanes.h).
#pragma once

#include <optional>

#include "engine/vectors/vectorise.h"

namespace msci::engine {

// Changes the kernel's module, which becomes one of the host: its one function is then a
// LaneFunction. `waits` of the result: at meetings. `stack_bytes`: of one lane.
VectorKernel make_lane_code(llvm::Function& kernel, std::optional<Extent> shape);

}  // namespace msci::engine
