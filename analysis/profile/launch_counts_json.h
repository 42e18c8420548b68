// LaunchCounts as JSON, between the processes of one build.
#pragma once

#include "analysis/profile/launch_counts.h"
#include "base/json.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BlockCount, executions, lanes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AccessCount, executions, lanes, lines, sectors, core_misses,
                                   first_touches, bank_cycles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchCounts, launch, weight, counted, simdgroups,
                                   threadgroup_bytes, blocks, sites)

}  // namespace msci
