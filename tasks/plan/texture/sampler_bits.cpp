#include "tasks/plan/texture/sampler_bits.h"

#include <algorithm>
#include <cmath>

namespace msci {
namespace {

// The number of steps; NaN becomes 0.
std::uint64_t fixed_point(float value, float steps, float least, float most) {
  const float scaled = std::isnan(value) ? 0 : std::clamp(value * steps, least, most);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(scaled + 0.5F))) & 4095;
}

}  // namespace

std::uint64_t sampler_bits(const SamplerDescription& sampler) {
  using Bits = SamplerBits;
  const auto put = [](auto value, unsigned place) {
    return static_cast<std::uint64_t>(value) << place;
  };
  return put(sampler.coord, Bits::coord) | put(sampler.s_address, Bits::s_address) |
         put(sampler.t_address, Bits::t_address) | put(sampler.r_address, Bits::r_address) |
         put(sampler.mag_filter, Bits::mag_filter) | put(sampler.min_filter, Bits::min_filter) |
         put(sampler.mip_filter, Bits::mip_filter) | put(sampler.compare, Bits::compare) |
         put(sampler.border, Bits::border) | put(sampler.reduction, Bits::reduction) |
         put(std::clamp(sampler.max_anisotropy, 1U, 16U) - 1, Bits::max_anisotropy) |
         put(fixed_point(sampler.least_lod, 256, 0, 4095), Bits::least_lod) |
         put(fixed_point(sampler.most_lod, 256, 0, 4095), Bits::most_lod) |
         put(fixed_point(sampler.bias, 64, -2048, 2047), Bits::bias);
}

}  // namespace msci
