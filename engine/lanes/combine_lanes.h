// The functions of a simdgroup and of a quadgroup, lane by lane.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/vectors/specialise.h"

namespace msci::engine {

// 32 bits of each lane: an integer, or the bits of a float.
using LaneWords = std::array<std::uint32_t, lane_count>;

// What a function such as "msci.simd.sum.f32" gives each lane of `active`; the elements of other
// lanes mean nothing. Sums of floats are added as vectors add them: the results have the same bits.
LaneWords combine_lanes(std::string_view function, std::uint32_t active, const LaneWords& values,
                        const LaneWords& arguments);

}  // namespace msci::engine
