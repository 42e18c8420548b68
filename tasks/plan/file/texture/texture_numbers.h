// The numbers by which textures are compared.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tasks/plan/texture/texture_memory.h"

namespace msci {

// The components that the format has, of one texel after the other: what a kernel reads, but of an
// sRGB format the encoded values, 0 to 1, so that a unit of the format is the same everywhere.
std::vector<double> texel_numbers(TexelFormat format, std::span<const std::byte> texels);

// The same of the memory of a texture after a pass. NaN where memory does not hold a value of the
// format, as after a write that a texture does not do, and everywhere if the header has changed.
std::vector<double> texel_numbers(const TextureShape& shape, std::span<const std::byte> memory);

// For each component that the format has, the largest difference that counts as none: one unit of a
// normalised component of 8 bits or more, since Metal lets devices round to either neighbour;
// otherwise 0, since a unit of fewer bits can be most of the range.
std::vector<double> texel_rounding(TexelFormat format);

// Where number `index` of texel_numbers() lies: "[2, 1].g", or "[5].g" of a texture that is not
// flat or has levels: the texel's place in memory.
std::string texel_place(const TextureShape& shape, std::size_t index);

// Whether a component may differ by texel_rounding().
bool is_rounded(TexelFormat format);

}  // namespace msci
