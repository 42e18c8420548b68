#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tasks/plan/file/texture/texture_contents.h"
#include "tasks/plan/texture/texel_fields.h"

namespace msci {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

double number_of(const TexelLayout& layout, TexelField field, std::span<const std::byte> texel,
                 std::uint32_t component) {
  switch (layout.encoding) {
    case TexelEncoding::unorm:
    case TexelEncoding::srgb:
      return static_cast<double>(get_field(texel, field)) / static_cast<double>(largest_of(field));
    case TexelEncoding::uint:
      return component;
    case TexelEncoding::sint:
      return static_cast<std::int32_t>(component);
    default:
      return std::bit_cast<float>(component);
  }
}

// Whether memory has what a read of the texel in the format gives. All NaNs are one value.
bool holds(TexelFormat format, std::span<const std::byte> texel, const Texel& stored) {
  const auto read = decode(format, texel);
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (read[i] == stored[i]) continue;
    if (is_integer(format) || !std::isnan(std::bit_cast<float>(read[i])) ||
        !std::isnan(std::bit_cast<float>(stored[i])))
      return false;
  }
  return true;
}

}  // namespace

std::vector<double> texel_numbers(TexelFormat format, std::span<const std::byte> texels) {
  const auto& layout = layout_of(format);
  std::vector<double> numbers;
  numbers.reserve(texels.size() / layout.bytes * present_fields(format).size());
  for (std::size_t at = 0; at < texels.size(); at += layout.bytes) {
    const auto texel = texels.subspan(at, layout.bytes);
    const auto read = decode(format, texel);
    for (std::size_t i = 0; i < read.size(); ++i)
      if (layout.fields[i].bits > 0)
        numbers.push_back(number_of(layout, layout.fields[i], texel, read[i]));
  }
  return numbers;
}

std::vector<double> texel_numbers(const TextureShape& shape, std::span<const std::byte> memory) {
  const auto bytes = layout_of(shape.format).bytes;
  const auto count = encoded_bytes(shape) / bytes;
  const auto components = present_fields(shape.format).size();
  const auto texels = encoded_texels(shape, memory);
  if (!texels) return std::vector<double>(count * components, not_a_number);
  auto numbers = texel_numbers(shape.format, *texels);
  for (std::size_t i = 0; i < count; ++i) {
    Texel stored;
    std::memcpy(stored.data(), &memory[TextureHeader::bytes + i * texel_memory_bytes],
                texel_memory_bytes);
    if (!holds(shape.format, std::span(*texels).subspan(i * bytes, bytes), stored))
      std::fill_n(&numbers[i * components], components, not_a_number);
  }
  return numbers;
}

std::string texel_place(const TextureShape& shape, std::size_t index) {
  const auto& fields = layout_of(shape.format).fields;
  std::string components;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].bits > 0) components += "rgba"[i];
  const auto texel = index / components.size();
  const bool is_flat = shape.kind == TextureKind::d2 && shape.mip_levels == 1;
  return fmt::format("[{}].{}",
                     is_flat ? fmt::format("{}, {}", texel % shape.width, texel / shape.width)
                             : std::to_string(texel),
                     components[index % components.size()]);
}

bool is_rounded(TexelFormat format) {
  const auto encoding = layout_of(format).encoding;
  return encoding == TexelEncoding::unorm || encoding == TexelEncoding::snorm ||
         encoding == TexelEncoding::srgb;
}

std::vector<double> texel_rounding(TexelFormat format) {
  const bool has_sign = layout_of(format).encoding == TexelEncoding::snorm;
  // Differences are multiples of a unit, and not exactly.
  constexpr double one_and_a_bit = 1.25;
  constexpr unsigned least_bits = 8;
  std::vector<double> rounding;
  for (const auto& field : present_fields(format))
    rounding.push_back(is_rounded(format) && field.bits >= least_bits
                           ? one_and_a_bit / (largest_of(field) >> (has_sign ? 1 : 0))
                           : 0);
  return rounding;
}

}  // namespace msci
