#include "tasks/plan/texture/texel_format.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "tasks/plan/texture/texel_fields.h"

namespace msci {
namespace {

constexpr TexelField none{};

// `count` components of `bits` bits, red in the lowest.
constexpr TexelLayout regular(std::string_view name, TexelEncoding encoding, unsigned bits,
                              unsigned count) {
  TexelLayout layout{.name = name, .bytes = bits * count / 8, .encoding = encoding};
  for (unsigned i = 0; i < count; ++i) layout.fields[i] = {i * bits, bits};
  return layout;
}

constexpr TexelLayout packed(std::string_view name, TexelEncoding encoding, std::size_t bytes,
                             TexelField red, TexelField green, TexelField blue, TexelField alpha) {
  return {name, bytes, encoding, {red, green, blue, alpha}};
}

// In the order of TexelFormat. Metal names packed components from the lowest bit on.
constexpr auto layouts = [] {
  using enum TexelEncoding;
  return std::array{
      packed("a8unorm", unorm, 1, none, none, none, {0, 8}),
      regular("r8unorm", unorm, 8, 1),
      regular("r8unorm_srgb", srgb, 8, 1),
      regular("r8snorm", snorm, 8, 1),
      regular("r8uint", uint, 8, 1),
      regular("r8sint", sint, 8, 1),
      regular("r16unorm", unorm, 16, 1),
      regular("r16snorm", snorm, 16, 1),
      regular("r16uint", uint, 16, 1),
      regular("r16sint", sint, 16, 1),
      regular("r16float", floating, 16, 1),
      regular("rg8unorm", unorm, 8, 2),
      regular("rg8unorm_srgb", srgb, 8, 2),
      regular("rg8snorm", snorm, 8, 2),
      regular("rg8uint", uint, 8, 2),
      regular("rg8sint", sint, 8, 2),
      packed("b5g6r5unorm", unorm, 2, {11, 5}, {5, 6}, {0, 5}, none),
      packed("a1bgr5unorm", unorm, 2, {11, 5}, {6, 5}, {1, 5}, {0, 1}),
      packed("abgr4unorm", unorm, 2, {12, 4}, {8, 4}, {4, 4}, {0, 4}),
      packed("bgr5a1unorm", unorm, 2, {10, 5}, {5, 5}, {0, 5}, {15, 1}),
      regular("r32uint", uint, 32, 1),
      regular("r32sint", sint, 32, 1),
      regular("r32float", floating, 32, 1),
      regular("rg16unorm", unorm, 16, 2),
      regular("rg16snorm", snorm, 16, 2),
      regular("rg16uint", uint, 16, 2),
      regular("rg16sint", sint, 16, 2),
      regular("rg16float", floating, 16, 2),
      regular("rgba8unorm", unorm, 8, 4),
      regular("rgba8unorm_srgb", srgb, 8, 4),
      regular("rgba8snorm", snorm, 8, 4),
      regular("rgba8uint", uint, 8, 4),
      regular("rgba8sint", sint, 8, 4),
      packed("bgra8unorm", unorm, 4, {16, 8}, {8, 8}, {0, 8}, {24, 8}),
      packed("bgra8unorm_srgb", srgb, 4, {16, 8}, {8, 8}, {0, 8}, {24, 8}),
      packed("rgb10a2unorm", unorm, 4, {0, 10}, {10, 10}, {20, 10}, {30, 2}),
      packed("rgb10a2uint", uint, 4, {0, 10}, {10, 10}, {20, 10}, {30, 2}),
      packed("bgr10a2unorm", unorm, 4, {20, 10}, {10, 10}, {0, 10}, {30, 2}),
      packed("rg11b10float", floating, 4, {0, 11}, {11, 11}, {22, 10}, none),
      packed("rgb9e5float", shared_exponent, 4, {0, 9}, {9, 9}, {18, 9}, none),
      regular("rg32uint", uint, 32, 2),
      regular("rg32sint", sint, 32, 2),
      regular("rg32float", floating, 32, 2),
      regular("rgba16unorm", unorm, 16, 4),
      regular("rgba16snorm", snorm, 16, 4),
      regular("rgba16uint", uint, 16, 4),
      regular("rgba16sint", sint, 16, 4),
      regular("rgba16float", floating, 16, 4),
      regular("rgba32uint", uint, 32, 4),
      regular("rgba32sint", sint, 32, 4),
      regular("rgba32float", floating, 32, 4),
      regular("depth16unorm", unorm, 16, 1),
      regular("depth32float", floating, 32, 1),
  };
}();
static_assert(layouts.size() == static_cast<std::size_t>(TexelFormat::depth32float) + 1);

constexpr unsigned alpha = 3;
constexpr unsigned shared_exponent_shift = 27;

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t low_bits(unsigned count) { return count == 32 ? ~0U : (1U << count) - 1; }

// ---- Floats of 32, 16, 11 and 10 bits

// The small ones have five bits of exponent; those of 16 bits have a sign, too.
unsigned mantissa_bits(unsigned bits) { return bits == 16 ? 10 : bits - 5; }

float from_small_float(std::uint32_t bits, unsigned width) {
  const auto digits = mantissa_bits(width);
  const int exponent = static_cast<int>(bits >> digits & 31);
  const auto mantissa = static_cast<float>(bits & low_bits(digits));
  const float one = static_cast<float>(1U << digits);
  const bool is_negative = width == 16 && bits >> 15 != 0;
  float value = 0;
  if (exponent == 31)
    value = mantissa == 0 ? INFINITY : NAN;
  else if (exponent == 0)
    value = std::ldexp(mantissa / one, -14);
  else
    value = std::ldexp(1 + mantissa / one, exponent - 15);
  return is_negative ? -value : value;
}

std::uint32_t to_small_float(float value, unsigned width) {
  const auto digits = mantissa_bits(width);
  const std::uint32_t infinity = 31U << digits;
  const std::uint32_t sign = width == 16 && std::signbit(value) ? 1U << 15 : 0;
  if (std::isnan(value)) return sign | infinity | 1U << (digits - 1);
  if (std::signbit(value) && width != 16) return 0;
  const float magnitude = std::abs(value);
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  exponent = std::max(exponent - 1, -14);
  // In units of the last place: ldexp() is exact, as is the sum of both parts below. A carry moves
  // into the exponent, and from the largest value to infinity.
  if (std::isinf(value) || exponent > 15) return sign | infinity;
  const auto units = static_cast<std::uint32_t>(
      std::nearbyint(std::ldexp(magnitude, static_cast<int>(digits) - exponent)));
  return sign | (units + (static_cast<std::uint32_t>(exponent + 14) << digits));
}

// ---- Normalised integers and integers

// The largest value, which means 1.
float one_of(TexelEncoding encoding, unsigned bits) {
  return static_cast<float>(low_bits(encoding == TexelEncoding::snorm ? bits - 1 : bits));
}

// NaN becomes 0.
float clamped(float value, float least) {
  return std::isnan(value) ? 0 : std::clamp(value, least, 1.0F);
}

std::int32_t sign_extended(std::uint32_t bits, unsigned width) {
  return static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width);
}

// ---- A shared exponent: a component is its mantissa times 2^(exponent - 24)

void put_shared_exponent(const Texel& texel, std::span<std::byte> to) {
  constexpr float largest = 65408;
  std::array<float, 3> values{};
  float greatest = 0;
  for (unsigned i = 0; i < 3; ++i) {
    const float value = float_of(texel[i]);
    values[i] = std::isnan(value) ? 0 : std::clamp(value, 0.0F, largest);
    greatest = std::max(greatest, values[i]);
  }
  int exponent = 0;
  std::frexp(greatest, &exponent);  // greatest < 2^exponent
  exponent = greatest == 0 ? 0 : std::max(exponent + 15, 0);
  const auto rounded = [&](float value) {
    return static_cast<std::uint32_t>(std::ldexp(double{value}, 24 - exponent) + 0.5);
  };
  if (rounded(greatest) == 512) ++exponent;
  for (unsigned i = 0; i < 3; ++i) put_field(to, {9 * i, 9}, rounded(values[i]));
  put_field(to, {shared_exponent_shift, 5}, static_cast<std::uint32_t>(exponent));
}

// ---- sRGB

double from_srgb(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

std::array<float, 256> srgb_table(double first) {
  std::array<float, 256> table{};
  for (unsigned i = 0; i < table.size(); ++i)
    table[i] = static_cast<float>(from_srgb(std::max(0.0, (i + first) / 255)));
  return table;
}

bool is_curved(TexelEncoding encoding, unsigned component) {
  return encoding == TexelEncoding::srgb && component != alpha;
}

std::uint32_t decoded(const TexelLayout& layout, unsigned component, std::uint32_t bits) {
  using enum TexelEncoding;
  const auto width = layout.fields[component].bits;
  if (is_curved(layout.encoding, component)) return bits_of(srgb_values()[bits]);
  switch (layout.encoding) {
    case floating:
      return width == 32 ? bits : bits_of(from_small_float(bits, width));
    case unorm:
    case srgb:
      return bits_of(static_cast<float>(bits) / one_of(unorm, width));
    case snorm:
      return bits_of(
          std::max(static_cast<float>(sign_extended(bits, width)) / one_of(snorm, width), -1.0F));
    case sint:
      return static_cast<std::uint32_t>(sign_extended(bits, width));
    case uint:
    case shared_exponent:
      return bits;
  }
  return bits;
}

std::uint32_t encoded(const TexelLayout& layout, unsigned component, std::uint32_t bits) {
  using enum TexelEncoding;
  const auto width = layout.fields[component].bits;
  const float value = float_of(bits);
  if (is_curved(layout.encoding, component)) {
    const auto& limits = srgb_limits();
    const auto above = std::upper_bound(limits.begin() + 1, limits.end(), clamped(value, 0));
    return static_cast<std::uint32_t>(above - limits.begin() - 1);
  }
  switch (layout.encoding) {
    case floating:
      return width == 32 ? bits : to_small_float(value, width);
    case unorm:
    case srgb:
      return static_cast<std::uint32_t>(std::nearbyint(clamped(value, 0) * one_of(unorm, width)));
    case snorm:
      return static_cast<std::uint32_t>(
          static_cast<std::int32_t>(std::nearbyint(clamped(value, -1) * one_of(snorm, width))));
    case uint:
      return std::min(bits, low_bits(width));
    case sint: {
      const auto most = static_cast<std::int32_t>(low_bits(width - 1));
      return static_cast<std::uint32_t>(
          std::clamp(static_cast<std::int32_t>(bits), -most - 1, most));
    }
    case shared_exponent:
      return bits;
  }
  return bits;
}

}  // namespace

const TexelLayout& layout_of(TexelFormat format) {
  assert(static_cast<std::size_t>(format) < layouts.size() && "the format has a layout");
  return layouts[static_cast<std::size_t>(format)];
}

std::optional<TexelFormat> texel_format_from(std::string_view name) {
  const auto* found = std::ranges::find(layouts, name, &TexelLayout::name);
  if (found == layouts.end()) return std::nullopt;
  return static_cast<TexelFormat>(found - layouts.begin());
}

std::vector<std::string_view> texel_format_names() {
  std::vector<std::string_view> names;
  for (const auto& layout : layouts) names.push_back(layout.name);
  return names;
}

bool is_integer(TexelFormat format) {
  const auto encoding = layout_of(format).encoding;
  return encoding == TexelEncoding::uint || encoding == TexelEncoding::sint;
}

bool is_depth(TexelFormat format) {
  return format == TexelFormat::depth16unorm || format == TexelFormat::depth32float;
}

Texel decode(TexelFormat format, std::span<const std::byte> from) {
  const auto& layout = layout_of(format);
  Texel texel{0, 0, 0, is_integer(format) ? 1 : bits_of(1)};
  for (unsigned i = 0; i < texel.size(); ++i)
    if (layout.fields[i].bits > 0) texel[i] = decoded(layout, i, get_field(from, layout.fields[i]));
  if (layout.encoding == TexelEncoding::shared_exponent) {
    const auto exponent = static_cast<int>(get_field(from, {shared_exponent_shift, 5}));
    for (unsigned i = 0; i < alpha; ++i)
      texel[i] = bits_of(std::ldexp(static_cast<float>(texel[i]), exponent - 24));
  }
  return texel;
}

void encode(TexelFormat format, const Texel& texel, std::span<std::byte> to) {
  const auto& layout = layout_of(format);
  std::ranges::fill(to, std::byte{0});
  if (layout.encoding == TexelEncoding::shared_exponent) return put_shared_exponent(texel, to);
  for (unsigned i = 0; i < texel.size(); ++i)
    if (layout.fields[i].bits > 0) put_field(to, layout.fields[i], encoded(layout, i, texel[i]));
}

const std::array<float, 256>& srgb_values() {
  static const auto values = srgb_table(0);
  return values;
}

const std::array<float, 256>& srgb_limits() {
  static const auto limits = srgb_table(-0.5);
  return limits;
}

}  // namespace msci
