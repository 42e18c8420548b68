// Barriers in checked code: what they order, and which threads do not reach them.
#pragma once

#include <cstdint>

#include "engine/check/checked_simdgroup.h"

namespace msci::engine {

// At a barrier of the threadgroup: waits for the other simdgroups, and counts the barrier for the
// memories that `flags` names. `barrier` distinguishes barriers of one location.
void wait_at_barrier(SimdgroupChecks* checks, std::uint32_t flags, std::uint32_t location_id,
                     std::uint32_t barrier, std::uint32_t lanes);

// At a barrier of the simdgroup: orders its lanes' accesses to the memories of `flags`.
void pass_simdgroup_barrier(SimdgroupChecks* checks, std::uint32_t flags, std::uint32_t location_id,
                            std::uint32_t lanes);

// When the simdgroup has ended: reports a barrier that some lanes did not reach.
void end_barriers(SimdgroupChecks* checks);

}  // namespace msci::engine
