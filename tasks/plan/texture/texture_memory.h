// A texture in memory: what a PlanBuffer holds that a launch binds to [[texture(n)]]. The kernels'
// side is compiler/frontend/include/metal_texture.
//
//   byte 0      a header of 32 little-endian words (TextureHeader)
//   byte 128    the texels of all levels, each four words: the components as a kernel reads them
//               (Texel), so that a read is one load of 16 bytes whatever the format
//   after them  in sRGB formats srgb_values() and srgb_limits(), 512 floats
//
// Within a level, texels follow by layer (of a cube: six faces), z, y, x and sample, the last
// fastest. Level n is half as wide, high and deep as level n - 1, rounded down, at least 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tasks/plan/texture/texel_format.h"

namespace msci {

// Named as plans do: "1d", "1d_array", "2d", "2d_array", "2d_ms", "2d_ms_array", "3d", "cube",
// "cube_array", "buffer". Depth textures are those with a depth format.
enum class TextureKind : std::uint32_t {
  d1,
  d1_array,
  d2,
  d2_array,
  d2_ms,
  d2_ms_array,
  d3,
  cube,
  cube_array,
  buffer
};
std::string_view to_string(TextureKind kind);
std::optional<TextureKind> texture_kind_from(std::string_view name);

struct TextureShape {
  TextureKind kind = TextureKind::d2;
  TexelFormat format = TexelFormat::rgba32float;
  std::uint32_t width = 1;
  std::uint32_t height = 1;        // 1 of 1d and buffer; the width of cubes
  std::uint32_t depth = 1;         // 1 but of 3d
  std::uint32_t array_length = 1;  // 1 but of arrays; of cube_array: the number of cubes
  std::uint32_t mip_levels = 1;
  std::uint32_t samples = 1;  // 1 but of 2d_ms and 2d_ms_array: 2, 4 or 8
  bool operator==(const TextureShape&) const = default;
};

// Words of the header. Others are zero.
struct TextureHeader {
  static constexpr std::uint32_t magic_value = 0x7854434d;
  static constexpr std::size_t bytes = 128, words = bytes / 4;
  static constexpr std::size_t magic = 0, format = 1, kind = 2, width = 3, height = 4, depth = 5,
                               array_length = 6, mip_levels = 7, samples = 8;
  // How kernels write: TexelEncoding, the bits of the four components, each in eight bits from red
  // in the lowest, and the number of texels before the tables of an sRGB format.
  static constexpr std::size_t encoding = 9, component_bits = 10, srgb_tables = 11;
  // The number of the first texel of each level; up to 16 levels.
  static constexpr std::size_t first_texel = 16;
};
constexpr std::size_t texel_memory_bytes = 16;  // of one texel in memory

// The extent of one level, and its texels in all layers and samples.
struct TextureLevel {
  std::uint32_t width = 1, height = 1, depth = 1;
  std::size_t texels = 0;
  std::size_t first_texel = 0;
};

// Why no texture has that shape: a size that Metal does not allow (16384 wide and high, 2048 deep
// and 2048 layers, 2^28 texels of a buffer), or one that its kind lacks.
[[nodiscard]] std::optional<Error> refuse_shape(const TextureShape& shape);

// The following functions take shapes that are not refused.
std::vector<TextureLevel> levels_of(const TextureShape& shape);
// Bytes of all texels in the texture's format: level after level, in the order of memory, packed.
std::size_t encoded_bytes(const TextureShape& shape);
// Bytes of the texture in memory.
std::size_t texture_bytes(const TextureShape& shape);

// The memory of a texture with those texels in its format. Errors: refuse_shape()'s, and another
// number of bytes than encoded_bytes().
Result<std::vector<std::byte>> texture_memory(const TextureShape& shape,
                                              std::span<const std::byte> encoded);
// The way back. Errors: another number of bytes than texture_bytes(), or a header that is not the
// shape's.
Result<std::vector<std::byte>> encoded_texels(const TextureShape& shape,
                                              std::span<const std::byte> memory);

}  // namespace msci
