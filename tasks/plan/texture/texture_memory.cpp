#include "tasks/plan/texture/texture_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace msci {
namespace {

using Header = TextureHeader;

constexpr std::array<std::string_view, 10> kind_names = {
    "1d",          "1d_array", "2d",   "2d_array",   "2d_ms",
    "2d_ms_array", "3d",       "cube", "cube_array", "buffer"};

constexpr std::uint32_t most_extent = 16384, most_depth = 2048, most_layers = 2048;
constexpr std::uint32_t most_buffer = 1U << 28;
constexpr std::size_t most_texels = (std::size_t{1} << 32) - 1;  // their numbers have 32 bits
constexpr std::uint32_t faces = 6;
constexpr std::size_t srgb_bytes = 2 * 256 * sizeof(float);

bool is_array(TextureKind kind) {
  return kind == TextureKind::d1_array || kind == TextureKind::d2_array ||
         kind == TextureKind::d2_ms_array || kind == TextureKind::cube_array;
}
bool is_cube(TextureKind kind) {
  return kind == TextureKind::cube || kind == TextureKind::cube_array;
}
bool is_multisample(TextureKind kind) {
  return kind == TextureKind::d2_ms || kind == TextureKind::d2_ms_array;
}
bool is_line(TextureKind kind) {
  return kind == TextureKind::d1 || kind == TextureKind::d1_array || kind == TextureKind::buffer;
}

bool is_srgb(TexelFormat format) { return layout_of(format).encoding == TexelEncoding::srgb; }

std::uint32_t layers_of(const TextureShape& shape) {
  return shape.array_length * (is_cube(shape.kind) ? faces : 1);
}

std::size_t texels_of(const TextureShape& shape) {
  const auto levels = levels_of(shape);
  return levels.back().first_texel + levels.back().texels;
}

std::optional<Error> refuse_extent(const char* what, std::uint32_t value, std::uint32_t most) {
  if (value >= 1 && value <= most) return std::nullopt;
  return Error{
      fmt::format("the {} is {}; a texture of this kind allows 1 to {}", what, value, most)};
}

std::optional<Error> refuse_levels(const TextureShape& shape) {
  const bool has_levels = !is_line(shape.kind) && !is_multisample(shape.kind);
  const auto largest = std::max({shape.width, shape.height, shape.depth});
  return refuse_extent("number of mip levels", shape.mip_levels,
                       has_levels ? static_cast<std::uint32_t>(std::bit_width(largest)) : 1);
}

std::optional<Error> refuse_samples(const TextureShape& shape) {
  if (!is_multisample(shape.kind)) return refuse_extent("number of samples", shape.samples, 1);
  if (shape.samples == 2 || shape.samples == 4 || shape.samples == 8) return std::nullopt;
  return Error{fmt::format("the number of samples is {}; it may be 2, 4 or 8", shape.samples)};
}

std::array<std::uint32_t, Header::words> header_of(const TextureShape& shape) {
  const auto& layout = layout_of(shape.format);
  std::array<std::uint32_t, Header::words> words{};
  words[Header::magic] = Header::magic_value;
  words[Header::format] = static_cast<std::uint32_t>(shape.format);
  words[Header::kind] = static_cast<std::uint32_t>(shape.kind);
  words[Header::width] = shape.width;
  words[Header::height] = shape.height;
  words[Header::depth] = shape.depth;
  words[Header::array_length] = shape.array_length;
  words[Header::mip_levels] = shape.mip_levels;
  words[Header::samples] = shape.samples;
  words[Header::encoding] = static_cast<std::uint32_t>(layout.encoding);
  for (unsigned i = 0; i < layout.fields.size(); ++i)
    words[Header::component_bits] |= layout.fields[i].bits << 8 * i;
  const auto levels = levels_of(shape);
  for (std::size_t i = 0; i < levels.size(); ++i)
    words[Header::first_texel + i] = static_cast<std::uint32_t>(levels[i].first_texel);
  if (is_srgb(shape.format))
    words[Header::srgb_tables] = static_cast<std::uint32_t>(texels_of(shape));
  return words;
}

}  // namespace

std::string_view to_string(TextureKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::optional<TextureKind> texture_kind_from(std::string_view name) {
  const auto* found = std::ranges::find(kind_names, name);
  if (found == kind_names.end()) return std::nullopt;
  return static_cast<TextureKind>(found - kind_names.begin());
}

std::optional<Error> refuse_shape(const TextureShape& shape) {
  const auto kind = shape.kind;
  const auto most_width = kind == TextureKind::buffer ? most_buffer
                          : kind == TextureKind::d3   ? most_depth
                                                      : most_extent;
  const auto most_height = is_line(kind) ? 1 : most_width;
  if (auto error = refuse_extent("width", shape.width, most_width)) return error;
  if (auto error = refuse_extent("height", shape.height, most_height)) return error;
  if (auto error = refuse_extent("depth", shape.depth, kind == TextureKind::d3 ? most_depth : 1))
    return error;
  if (auto error = refuse_extent("array length", shape.array_length,
                                 !is_array(kind) ? 1
                                 : is_cube(kind) ? most_layers / faces
                                                 : most_layers))
    return error;
  if (is_cube(kind) && shape.width != shape.height)
    return Error{
        fmt::format("a cube is as wide as it is high, not {} x {}", shape.width, shape.height)};
  if (auto error = refuse_levels(shape)) return error;
  if (auto error = refuse_samples(shape)) return error;
  if (texels_of(shape) > most_texels)
    return Error{fmt::format("the texture has {} texels; at most {} are possible", texels_of(shape),
                             most_texels)};
  return std::nullopt;
}

std::vector<TextureLevel> levels_of(const TextureShape& shape) {
  std::vector<TextureLevel> levels(shape.mip_levels);
  std::size_t first = 0;
  for (std::uint32_t i = 0; i < shape.mip_levels; ++i) {
    auto& level = levels[i];
    level.width = std::max(1U, shape.width >> i);
    level.height = std::max(1U, shape.height >> i);
    level.depth = std::max(1U, shape.depth >> i);
    level.texels =
        std::size_t{level.width} * level.height * level.depth * layers_of(shape) * shape.samples;
    level.first_texel = first;
    first += level.texels;
  }
  return levels;
}

std::size_t encoded_bytes(const TextureShape& shape) {
  return texels_of(shape) * layout_of(shape.format).bytes;
}

std::size_t texture_bytes(const TextureShape& shape) {
  return Header::bytes + texels_of(shape) * texel_memory_bytes +
         (is_srgb(shape.format) ? srgb_bytes : 0);
}

Result<std::vector<std::byte>> texture_memory(const TextureShape& shape,
                                              std::span<const std::byte> encoded) {
  if (auto error = refuse_shape(shape)) return *std::move(error);
  if (encoded.size() != encoded_bytes(shape))
    return Error{fmt::format("the texture's texels have {} bytes; its shape needs {}",
                             encoded.size(), encoded_bytes(shape))};
  std::vector<std::byte> memory(texture_bytes(shape));
  const auto header = header_of(shape);
  const auto step = layout_of(shape.format).bytes;
  auto* to = memory.data() + Header::bytes;
  for (auto from = encoded; !from.empty(); from = from.subspan(step), to += texel_memory_bytes) {
    const auto texel = decode(shape.format, from.first(step));
    std::memcpy(to, texel.data(), sizeof texel);
  }
  if (is_srgb(shape.format)) {
    std::memcpy(to, srgb_values().data(), srgb_bytes / 2);
    std::memcpy(to + srgb_bytes / 2, srgb_limits().data(), srgb_bytes / 2);
  }
  std::memcpy(memory.data(), header.data(), sizeof header);
  return memory;
}

Result<std::vector<std::byte>> encoded_texels(const TextureShape& shape,
                                              std::span<const std::byte> memory) {
  if (auto error = refuse_shape(shape)) return *std::move(error);
  if (memory.size() != texture_bytes(shape))
    return Error{fmt::format("the texture's memory has {} bytes; its shape needs {}", memory.size(),
                             texture_bytes(shape))};
  const auto header = header_of(shape);
  if (std::memcmp(memory.data(), header.data(), sizeof header) != 0)
    return Error{"the texture's header is damaged: something wrote into the texture's memory"};
  const auto step = layout_of(shape.format).bytes;
  std::vector<std::byte> encoded(encoded_bytes(shape));
  for (std::size_t i = 0; i * step < encoded.size(); ++i) {
    Texel texel{};
    std::memcpy(texel.data(), memory.data() + Header::bytes + i * texel_memory_bytes, sizeof texel);
    encode(shape.format, texel, std::span(encoded).subspan(i * step, step));
  }
  return encoded;
}

}  // namespace msci
