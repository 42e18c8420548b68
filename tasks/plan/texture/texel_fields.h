// The components of texels as the integers that a format keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/plan/texture/texel_format.h"

namespace msci {

// The places of the components that the format has.
inline std::vector<TexelField> present_fields(TexelFormat format) {
  std::vector<TexelField> present;
  for (const auto& field : layout_of(format).fields)
    if (field.bits > 0) present.push_back(field);
  return present;
}

constexpr std::uint32_t largest_of(TexelField field) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << field.bits) - 1);
}

// The bits of a component, which cross at most two words.
inline std::uint32_t get_field(std::span<const std::byte> texel, TexelField field) {
  std::uint64_t bits = 0;
  for (unsigned byte = field.first_bit / 8; byte * 8 < field.first_bit + field.bits; ++byte)
    bits |= std::to_integer<std::uint64_t>(texel[byte]) << (byte - field.first_bit / 8) * 8;
  return static_cast<std::uint32_t>(bits >> field.first_bit % 8) & largest_of(field);
}

// Sets the bits of a component that are zero so far.
inline void put_field(std::span<std::byte> texel, TexelField field, std::uint32_t value) {
  const auto bits = std::uint64_t{value & largest_of(field)} << field.first_bit % 8;
  for (unsigned byte = field.first_bit / 8; byte * 8 < field.first_bit + field.bits; ++byte)
    texel[byte] |= static_cast<std::byte>(bits >> (byte - field.first_bit / 8) * 8 & 0xff);
}

}  // namespace msci
