// A kernel for one shape of threadgroups: the first step from a thread to a simdgroup.
#pragma once

#include <optional>
#include <string_view>

#include "base/metal_limits.h"
#include "tasks/plan/plan.h"

namespace llvm {
class Function;
}

namespace msci::engine {

constexpr unsigned lane_count = simdgroup_lanes;

// What a specialised kernel asks of the simdgroup that runs it: functions without memory. Those
// with a dimension end with ".0", ".1" or ".2".
constexpr std::string_view lane_call = "engine.lane";            // 0 to 31
constexpr std::string_view simdgroup_call = "engine.simdgroup";  // in the threadgroup
constexpr std::string_view group_call = "engine.group.";         // position of the threadgroup
constexpr std::string_view size_call = "engine.size.";           // threads of this threadgroup
constexpr std::string_view local_call = "engine.local.";         // position in the threadgroup

// Afterwards the kernel computes thread positions from the calls above, its loops are simple and in
// LCSSA form, and it has no switches. Operations on halves are not to be reordered. `shape` is the
// shape of all threadgroups that will run it; without one, it runs those of any shape. Barriers of
// the simdgroup are needless where its lanes run every instruction together; kernels that are
// checked or run lane by lane keep them.
void specialise(llvm::Function& kernel, std::optional<Extent> shape, bool keeps_barriers = false);

// Whether each thread of a kernel knows its position in the grid and nothing of threadgroups and
// simdgroups: it gives the same results in threadgroups of any shape. Before specialise().
bool knows_only_its_grid(const llvm::Function& kernel);

}  // namespace msci::engine
