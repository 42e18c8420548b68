// The samplers of a plan file.
#pragma once

#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/texture/sampler_bits.h"

namespace msci {

// A field of "samplers". Its keys and words are those of Metal's `constexpr sampler`: "coord",
// "address" and "filter" (of all directions and both filters), "s_address", "t_address",
// "r_address", "mag_filter", "min_filter", "mip_filter", "compare_func", "border_color",
// "reduction", "max_anisotropy", "lod_clamp" ([least, most]) and "bias".
SamplerDescription read_sampler(PlanFieldReader& reader, const Field& field);

}  // namespace msci
