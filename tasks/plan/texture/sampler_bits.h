// A sampler in memory: one little-endian word of 64 bits, the same that `constexpr sampler` has in
// compiler/frontend/include/metal_texture.
#pragma once

#include <cstdint>

namespace msci {

// The enumerators have Metal's names and order.
struct SamplerDescription {
  enum class Coord { normalized, pixel };
  enum class Address { clamp_to_edge, clamp_to_zero, clamp_to_border, repeat, mirrored_repeat };
  enum class Filter { nearest, linear };
  enum class MipFilter { none, nearest, linear };
  enum class Compare {
    none,
    never,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    always
  };
  enum class Border { transparent_black, opaque_black, opaque_white };
  enum class Reduction { weighted_average, minimum, maximum };

  Coord coord = Coord::normalized;
  Address s_address = Address::clamp_to_edge;
  Address t_address = Address::clamp_to_edge;
  Address r_address = Address::clamp_to_edge;
  Filter mag_filter = Filter::nearest;
  Filter min_filter = Filter::nearest;
  MipFilter mip_filter = MipFilter::none;
  Compare compare = Compare::none;
  Border border = Border::transparent_black;
  Reduction reduction = Reduction::weighted_average;
  unsigned max_anisotropy = 1;  // 1 … 16
  float least_lod = 0;          // kept in steps of 1/256 from 0 to 4095/256
  float most_lod = 1000;        // the same
  float bias = 0;               // kept in steps of 1/64 from -32 to 31 63/64
};

// Places of the parts of a sampler's word, each in as many bits as the next one leaves.
struct SamplerBits {
  static constexpr unsigned coord = 0, s_address = 1, t_address = 4, r_address = 7, mag_filter = 10,
                            min_filter = 12, mip_filter = 14, compare = 16, border = 20,
                            reduction = 22, max_anisotropy = 24, least_lod = 28, most_lod = 40,
                            bias = 52;
};

std::uint64_t sampler_bits(const SamplerDescription& sampler);

}  // namespace msci
