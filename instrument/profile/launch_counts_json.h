// LaunchCounts as JSON, between the processes of one build.
#pragma once

#include "base/json.h"
#include "instrument/profile/launch_counts.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BlockCount, executions, lanes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AccessCount, executions, lanes, lines, sectors, core_misses,
                                   first_touches, bank_cycles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchCounts, launch, weight, counted, simdgroups,
                                   threadgroup_bytes, blocks, sites)

}  // namespace msci
