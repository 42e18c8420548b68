// Images become texels, and texels images.
#include "tasks/plan/texture/texel_image.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace msci {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values) {
  std::vector<std::byte> bytes;
  for (const auto value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

PngImage pixel(unsigned channels, unsigned bits, std::initializer_list<unsigned> bytes) {
  return {1, 1, channels, bits, bytes_of(bytes)};
}

struct Case {
  PngImage image;
  TexelFormat format;
  std::vector<std::byte> texel;
};

TEST(TexelImage, has_the_texels_of_the_format) {
  const Case cases[] = {
      // The same bits, in the order of the format.
      {pixel(4, 8, {1, 2, 3, 4}), TexelFormat::rgba8unorm, bytes_of({1, 2, 3, 4})},
      {pixel(4, 8, {1, 2, 3, 4}), TexelFormat::bgra8unorm_srgb, bytes_of({3, 2, 1, 4})},
      {pixel(1, 16, {0x34, 0x12}), TexelFormat::r16unorm, bytes_of({0x34, 0x12})},
      {pixel(1, 8, {77}), TexelFormat::a8unorm, bytes_of({77})},
      // Grey is all colours, and alpha is 1.
      {pixel(1, 8, {9}), TexelFormat::rgba8unorm, bytes_of({9, 9, 9, 255})},
      {pixel(2, 8, {9, 8}), TexelFormat::rgba8unorm, bytes_of({9, 9, 9, 8})},
      {pixel(3, 8, {1, 2, 3}), TexelFormat::rgba8unorm, bytes_of({1, 2, 3, 255})},
      {pixel(3, 8, {1, 2, 3}), TexelFormat::rgba8uint, bytes_of({1, 2, 3, 1})},
      // More and fewer bits: 255 is 65535, and 0x7fff of 0xffff is 127.5 of 255, less a little.
      {pixel(1, 8, {255}), TexelFormat::r16unorm, bytes_of({255, 255})},
      {pixel(1, 16, {0xff, 0x7f}), TexelFormat::r8unorm, bytes_of({127})},
      {pixel(1, 16, {0x00, 0x80}), TexelFormat::r8unorm, bytes_of({128})},
      {pixel(3, 8, {255, 0, 255}), TexelFormat::b5g6r5unorm, bytes_of({0x1f, 0xf8})},
      {pixel(4, 8, {255, 0, 255, 128}), TexelFormat::rgb10a2unorm,
       bytes_of({0xff, 0x03, 0xf0, 0xbf})},
      // Floats: 1 is 0x3c00 as half, and 0x3f800000.
      {pixel(3, 8, {255, 0, 255}), TexelFormat::rgba16float,
       bytes_of({0, 0x3c, 0, 0, 0, 0x3c, 0, 0x3c})},
      {pixel(1, 8, {255}), TexelFormat::depth32float, bytes_of({0, 0, 0x80, 0x3f})},
  };
  for (const auto& each : cases) {
    const auto texels = texels_from(each.image, each.format);
    ASSERT_TRUE(texels) << texels.error().message;
    EXPECT_EQ(*texels, each.texel) << layout_of(each.format).name;
  }
}

std::string error_of(const PngImage& image, TexelFormat format) {
  const auto texels = texels_from(image, format);
  return texels ? "none" : texels.error().message;
}

TEST(TexelImage, must_fit_the_format) {
  EXPECT_EQ(error_of(pixel(3, 8, {1, 2, 3}), TexelFormat::r8unorm),
            "the image has red, green and blue, and r8unorm has 1 component; convert the image, or "
            "use a .bin or .npy file");
  EXPECT_EQ(error_of(pixel(1, 8, {1}), TexelFormat::rg8unorm),
            "the image has grey, and rg8unorm has 2 components; convert the image, or use a .bin "
            "or .npy file");
  EXPECT_NE(error_of(pixel(4, 8, {1, 2, 3, 4}), TexelFormat::rg11b10float), "none");
  EXPECT_EQ(error_of(pixel(1, 16, {0, 1}), TexelFormat::r8uint),
            "the image has the number 256, which r8uint cannot hold");
  EXPECT_EQ(error_of(pixel(1, 8, {1}), TexelFormat::r8snorm),
            "a PNG has no negative numbers for r8snorm; use a .bin or .npy file");
}

// Formats whose numbers a PNG has come back from one.
TEST(TexelImage, comes_back_in_formats_of_a_png) {
  std::mt19937 random(7);
  for (const auto format :
       {TexelFormat::a8unorm, TexelFormat::r8unorm, TexelFormat::r16uint, TexelFormat::rgba8unorm,
        TexelFormat::bgra8unorm_srgb, TexelFormat::rgb10a2unorm, TexelFormat::rgba16unorm,
        TexelFormat::b5g6r5unorm, TexelFormat::rgba8uint, TexelFormat::depth16unorm}) {
    std::vector<std::byte> texels(6 * layout_of(format).bytes);
    for (auto& byte : texels) byte = static_cast<std::byte>(random());
    const auto image = image_of(texels, format, 3, 2);
    ASSERT_TRUE(image) << layout_of(format).name;
    const auto again = texels_from(*image, format);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, texels) << layout_of(format).name;
  }
  EXPECT_FALSE(image_of(bytes_of({1, 2, 3, 4}), TexelFormat::r32uint, 1, 1));
  EXPECT_FALSE(image_of(bytes_of({1}), TexelFormat::r8sint, 1, 1));
}

TEST(TexelImage, limits_floats_to_what_it_can_show) {
  // 2, -1, NaN and 1 as halves.
  const auto image =
      image_of(bytes_of({0, 0x40, 0, 0xbc, 0, 0x7e, 0, 0x3c}), TexelFormat::rgba16float, 1, 1);
  EXPECT_EQ(*image, pixel(4, 16, {255, 255, 0, 0, 0, 0, 255, 255}));
}

}  // namespace
}  // namespace msci
