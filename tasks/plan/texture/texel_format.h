// Pixel formats of textures, and the conversions between a texel in its format and the components
// that a kernel reads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// Named as Metal's MTLPixelFormat, in lower case. Those of a compute kernel; compressed, video and
// stencil formats are missing.
enum class TexelFormat : std::uint32_t {
  a8unorm,
  r8unorm,
  r8unorm_srgb,
  r8snorm,
  r8uint,
  r8sint,
  r16unorm,
  r16snorm,
  r16uint,
  r16sint,
  r16float,
  rg8unorm,
  rg8unorm_srgb,
  rg8snorm,
  rg8uint,
  rg8sint,
  b5g6r5unorm,
  a1bgr5unorm,
  abgr4unorm,
  bgr5a1unorm,
  r32uint,
  r32sint,
  r32float,
  rg16unorm,
  rg16snorm,
  rg16uint,
  rg16sint,
  rg16float,
  rgba8unorm,
  rgba8unorm_srgb,
  rgba8snorm,
  rgba8uint,
  rgba8sint,
  bgra8unorm,
  bgra8unorm_srgb,
  rgb10a2unorm,
  rgb10a2uint,
  bgr10a2unorm,
  rg11b10float,
  rgb9e5float,
  rg32uint,
  rg32sint,
  rg32float,
  rgba16unorm,
  rgba16snorm,
  rgba16uint,
  rgba16sint,
  rgba16float,
  rgba32uint,
  rgba32sint,
  rgba32float,
  depth16unorm,
  depth32float,
};

// How the bits of a component become a number, and back. The numbers are part of a texture's
// memory.
enum class TexelEncoding : std::uint32_t {
  // Floats of 32, 16, 11 or 10 bits. Those of 11 and 10 bits lack a sign.
  floating,
  unorm,  // 0 … 2^n - 1 mean 0 … 1
  snorm,  // -(2^(n-1) - 1) … 2^(n-1) - 1 mean -1 … 1
  uint,
  sint,
  srgb,             // as unorm, but red, green and blue follow the sRGB curve
  shared_exponent,  // three mantissas of 9 bits, one exponent
};

// Where a component lies in a texel, which is one little-endian number.
struct TexelField {
  unsigned first_bit = 0;
  unsigned bits = 0;  // 0: the format lacks the component
  bool operator==(const TexelField&) const = default;
};

struct TexelLayout {
  std::string_view name;
  std::size_t bytes = 0;  // of one texel
  TexelEncoding encoding = TexelEncoding::floating;
  std::array<TexelField, 4> fields;  // red, green, blue, alpha
};

// What a kernel reads of a texel: red, green, blue, alpha. Each is the bits of a float, or the
// integer of an integer format. A missing component reads as 0, alpha as 1; of a8unorm red, green
// and blue as 0.
using Texel = std::array<std::uint32_t, 4>;

const TexelLayout& layout_of(TexelFormat format);
std::optional<TexelFormat> texel_format_from(std::string_view name);
// All names.
std::vector<std::string_view> texel_format_names();

bool is_integer(TexelFormat format);
bool is_depth(TexelFormat format);

// The texel of `layout_of(format).bytes` bytes; exact, or the nearest float.
Texel decode(TexelFormat format, std::span<const std::byte> from);

// Rounds to the nearest value that the format can hold (ties to even) and saturates: NaN becomes 0
// in normalised formats. Missing components are dropped. Floats of 11 and 10 bits and with a shared
// exponent make negative values 0; a shared exponent rounds ties up. `to` has the format's bytes.
void encode(TexelFormat format, const Texel& texel, std::span<std::byte> to);

// Of the 256 values of an sRGB byte: their linear values, and the least linear value that is
// encoded as each. The nearest byte is found by these limits.
const std::array<float, 256>& srgb_values();
const std::array<float, 256>& srgb_limits();

}  // namespace msci
