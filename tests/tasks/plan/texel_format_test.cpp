// Conversions of texels, with values computed by hand from the conversion rules of the Metal
// Shading Language specification.
#include "tasks/plan/texture/texel_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "tasks/plan/elements.h"

namespace msci {
namespace {

using Format = TexelFormat;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

std::vector<Format> all_formats() {
  std::vector<Format> all;
  for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(Format::depth32float); ++i)
    all.push_back(static_cast<Format>(i));
  return all;
}

std::vector<std::byte> bytes(std::initializer_list<unsigned> values) {
  std::vector<std::byte> result;
  for (const auto value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

std::array<float, 4> decoded(Format format, std::initializer_list<unsigned> from) {
  const auto texel = decode(format, bytes(from));
  return {std::bit_cast<float>(texel[0]), std::bit_cast<float>(texel[1]),
          std::bit_cast<float>(texel[2]), std::bit_cast<float>(texel[3])};
}

std::vector<std::byte> encoded(Format format, const Texel& texel) {
  std::vector<std::byte> to(layout_of(format).bytes);
  encode(format, texel, to);
  return to;
}

std::vector<std::byte> encoded(Format format, float r, float g = 0, float b = 0, float a = 1) {
  return encoded(format, Texel{std::bit_cast<std::uint32_t>(r), std::bit_cast<std::uint32_t>(g),
                               std::bit_cast<std::uint32_t>(b), std::bit_cast<std::uint32_t>(a)});
}

using Floats = std::array<float, 4>;

TEST(TexelFormat, NamesLeadBack) {
  for (const auto format : all_formats())
    EXPECT_EQ(texel_format_from(layout_of(format).name), format);
  EXPECT_EQ(texel_format_from("rgba8"), std::nullopt);
  EXPECT_EQ(std::ranges::count(texel_format_names(), "rgb9e5float"), 1);
}

TEST(TexelFormat, FieldsFillTheTexelWithoutOverlap) {
  for (const auto format : all_formats()) {
    const auto& layout = layout_of(format);
    std::vector<bool> used(layout.bytes * 8);
    for (const auto& field : layout.fields)
      for (unsigned bit = 0; bit < field.bits; ++bit) {
        ASSERT_LT(field.first_bit + bit, used.size()) << layout.name;
        EXPECT_FALSE(used[field.first_bit + bit]) << layout.name;
        used[field.first_bit + bit] = true;
      }
    const auto spare = std::ranges::count(used, false);
    EXPECT_EQ(spare, format == Format::rgb9e5float ? 5 : 0) << layout.name;
  }
}

TEST(TexelFormat, NormalisedIntegersDecodeToFractions) {
  EXPECT_EQ(decoded(Format::rgba8unorm, {0, 255, 51, 128}), (Floats{0, 1, 0.2F, 128 / 255.0F}));
  EXPECT_EQ(decoded(Format::bgra8unorm, {0, 51, 255, 128}), (Floats{1, 0.2F, 0, 128 / 255.0F}));
  EXPECT_EQ(decoded(Format::r8unorm, {255}), (Floats{1, 0, 0, 1}));
  EXPECT_EQ(decoded(Format::a8unorm, {255}), (Floats{0, 0, 0, 1}));
  EXPECT_EQ(decoded(Format::rg8snorm, {0x80, 0x81}), (Floats{-1, -1, 0, 1}));
  EXPECT_EQ(decoded(Format::rg8snorm, {127, 0xff}), (Floats{1, -1 / 127.0F, 0, 1}));
  EXPECT_EQ(decoded(Format::r16unorm, {0xff, 0xff}), (Floats{1, 0, 0, 1}));
  EXPECT_EQ(decoded(Format::r16snorm, {0x00, 0x80}), (Floats{-1, 0, 0, 1}));
  // 1 + 2 * 1024 + 512 * 2^20 + 3 * 2^30
  EXPECT_EQ(decoded(Format::rgb10a2unorm, {0x01, 0x08, 0x00, 0xe0}),
            (Floats{1 / 1023.0F, 2 / 1023.0F, 512 / 1023.0F, 1}));
  EXPECT_EQ(decoded(Format::bgr10a2unorm, {0x01, 0x08, 0x00, 0xe0}),
            (Floats{512 / 1023.0F, 2 / 1023.0F, 1 / 1023.0F, 1}));
  // Blue in the lowest bits.
  EXPECT_EQ(decoded(Format::b5g6r5unorm, {0x1f, 0x00}), (Floats{0, 0, 1, 1}));
  EXPECT_EQ(decoded(Format::b5g6r5unorm, {0x00, 0xf8}), (Floats{1, 0, 0, 1}));
  EXPECT_EQ(decoded(Format::a1bgr5unorm, {0x01, 0x00}), (Floats{0, 0, 0, 1}));
  EXPECT_EQ(decoded(Format::abgr4unorm, {0x0f, 0xf0}), (Floats{1, 0, 0, 1}));
  EXPECT_EQ(decoded(Format::bgr5a1unorm, {0x00, 0x7c}), (Floats{1, 0, 0, 0}));
}

TEST(TexelFormat, NormalisedIntegersEncodeToTheNearest) {
  EXPECT_EQ(encoded(Format::rgba8unorm, 0.5F, -1, 2, nan), bytes({128, 0, 255, 0}));
  EXPECT_EQ(encoded(Format::rg8unorm, 0.5F / 255, 1.5F / 255), bytes({0, 2}));  // ties to even
  EXPECT_EQ(encoded(Format::rgba8snorm, -2, 1, -0.5F, nan), bytes({0x81, 127, 0xc0, 0}));
  EXPECT_EQ(encoded(Format::r16unorm, infinity), bytes({0xff, 0xff}));
  EXPECT_EQ(encoded(Format::rgb10a2unorm, 1, 0, 0, 1), bytes({0xff, 0x03, 0x00, 0xc0}));
  EXPECT_EQ(encoded(Format::bgra8unorm, 1, 0, 0, 0), bytes({0, 0, 255, 0}));
  EXPECT_EQ(encoded(Format::a8unorm, 1, 1, 1, 0.2F), bytes({51}));
}

TEST(TexelFormat, IntegersSaturate) {
  EXPECT_EQ(decode(Format::rg8sint, bytes({0xff, 0x7f})), (Texel{~0U, 127, 0, 1}));
  EXPECT_EQ(decode(Format::rg8uint, bytes({0xff, 0x7f})), (Texel{255, 127, 0, 1}));
  EXPECT_EQ(encoded(Format::rg8uint, Texel{256, 7, 9, 9}), bytes({255, 7}));
  EXPECT_EQ(encoded(Format::rg8sint, Texel{static_cast<std::uint32_t>(-129), 128, 0, 0}),
            bytes({0x80, 127}));
  EXPECT_EQ(encoded(Format::rgb10a2uint, Texel{5000, 1, 2, 9}), bytes({0xff, 0x07, 0x20, 0xc0}));
  EXPECT_EQ(decode(Format::r32uint, bytes({1, 2, 3, 4})), (Texel{0x04030201, 0, 0, 1}));
}

TEST(TexelFormat, HalvesAreThoseOfBuffers) {
  const auto seed = std::random_device{}();
  RecordProperty("seed", std::to_string(seed));
  std::mt19937 random(seed);
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto texel = bytes({bits & 255, bits >> 8});
    const auto value = decoded(Format::r16float, {bits & 255, bits >> 8})[0];
    const auto expected = get_element("half", texel, 0);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(value));
    else
      EXPECT_EQ(value, expected) << bits;
  }
  for (int i = 0; i < 100'000; ++i) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isnan(value)) continue;
    std::vector<std::byte> expected;
    put_element("half", value, expected);
    EXPECT_EQ(encoded(Format::r16float, value), expected) << value << ", seed " << seed;
  }
}

TEST(TexelFormat, SmallFloatsLackASign) {
  // 11 bits: 0x3c0 is 1, 0x7bf the largest, 65024; 10 bits: 0x1e0 is 1, 0x3df the largest, 64512.
  EXPECT_EQ(encoded(Format::rg11b10float, 1, 1, 1), bytes({0xc0, 0x03, 0x1e, 0x78}));
  EXPECT_EQ(decoded(Format::rg11b10float, {0xc0, 0x03, 0x1e, 0x78}), (Floats{1, 1, 1, 1}));
  EXPECT_EQ(encoded(Format::rg11b10float, -1, -infinity, -0.0F), bytes({0, 0, 0, 0}));
  const auto largest = encoded(Format::rg11b10float, 65024, 0, 64512);
  EXPECT_EQ(largest, bytes({0xbf, 0x07, 0xc0, 0xf7}));
  const auto infinite = encoded(Format::rg11b10float, 1e6F, 0, infinity);
  EXPECT_EQ(infinite, bytes({0xc0, 0x07, 0x00, 0xf8}));
  EXPECT_TRUE(std::isnan(
      std::bit_cast<float>(decode(Format::rg11b10float, encoded(Format::rg11b10float, nan))[0])));
  // The smallest subnormals: 2^-20 and 2^-19.
  EXPECT_EQ(decoded(Format::rg11b10float, {0x01, 0x00, 0x40, 0x00}),
            (Floats{0x1p-20F, 0, 0x1p-19F, 1}));
}

TEST(TexelFormat, SharedExponentsHoldTheLargestComponent) {
  // 1 = 256 * 2^(16 - 24)
  EXPECT_EQ(encoded(Format::rgb9e5float, 1, 0.5F, 0), bytes({0x00, 0x01, 0x01, 0x80}));
  EXPECT_EQ(decoded(Format::rgb9e5float, {0x00, 0x01, 0x01, 0x80}), (Floats{1, 0.5F, 0, 1}));
  EXPECT_EQ(
      decode(Format::rgb9e5float, encoded(Format::rgb9e5float, 1e9F, -1, nan)),
      (Texel{std::bit_cast<std::uint32_t>(65408.0F), 0, 0, std::bit_cast<std::uint32_t>(1.0F)}));
  // 511.75 rounds up to the next exponent.
  EXPECT_EQ(decode(Format::rgb9e5float, encoded(Format::rgb9e5float, 511.75F))[0],
            std::bit_cast<std::uint32_t>(512.0F));
}

TEST(TexelFormat, SrgbFollowsItsCurve) {
  EXPECT_EQ(decoded(Format::rgba8unorm_srgb, {0, 255, 0, 51}), (Floats{0, 1, 0, 0.2F}));
  // 188 is 0.5029 linear; 10 lies on the straight part.
  EXPECT_NEAR(decoded(Format::rgba8unorm_srgb, {188, 0, 0, 0})[0], 0.50288F, 1e-5F);
  EXPECT_FLOAT_EQ(decoded(Format::rgba8unorm_srgb, {10, 0, 0, 0})[0], 10 / 255.0F / 12.92F);
  EXPECT_EQ(encoded(Format::rgba8unorm_srgb, 0.5F, -1, 7, 0.5F), bytes({188, 0, 255, 128}));
  EXPECT_EQ(encoded(Format::r8unorm_srgb, nan), bytes({0}));
}

// What a format can hold comes back unchanged.
TEST(TexelFormat, DecodedTexelsEncodeToTheSameBits) {
  const auto seed = std::random_device{}();
  RecordProperty("seed", std::to_string(seed));
  std::mt19937 random(seed);
  for (const auto format : all_formats())
    for (int i = 0; i < 2000; ++i) {
      std::vector<std::byte> bits(layout_of(format).bytes);
      for (auto& each : bits) each = static_cast<std::byte>(random());
      const auto texel = decode(format, bits);
      const auto again = decode(format, encoded(format, texel));
      for (unsigned c = 0; c < 4; ++c) {
        const bool both_nan = !is_integer(format) && std::isnan(std::bit_cast<float>(texel[c])) &&
                              std::isnan(std::bit_cast<float>(again[c]));
        EXPECT_TRUE(texel[c] == again[c] || both_nan)
            << layout_of(format).name << " component " << c << ", seed " << seed;
      }
    }
}

}  // namespace
}  // namespace msci
