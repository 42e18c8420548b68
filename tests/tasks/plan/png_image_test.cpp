// PNG images: what is written comes back, and damaged files are errors.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tasks/plan/texture/texel_image.h"

namespace msci {
namespace {

PngImage noise(unsigned width, unsigned height, unsigned channels, unsigned bits, unsigned seed) {
  PngImage image{width, height, channels, bits, {}};
  image.samples.resize(std::size_t{width} * height * channels * bits / 8);
  std::mt19937 random(seed);
  for (auto& sample : image.samples) sample = std::byte(random());
  return image;
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string error_of(const std::vector<std::byte>& file, unsigned width, unsigned height) {
  const auto image = read_png(file, width, height);
  return image ? "none" : image.error().message;
}

TEST(PngImage, comes_back_as_it_was_written) {
  for (const unsigned bits : {8, 16})
    for (unsigned channels = 1; channels <= 4; ++channels) {
      const auto image = noise(7, 5, channels, bits, channels);
      const auto file = write_png(image);
      ASSERT_TRUE(file) << file.error().message;
      EXPECT_TRUE(is_png(*file));
      const auto read = read_png(*file, 7, 5);
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_EQ(*read, image) << channels << " channels of " << bits << " bits";
    }
}

// 3 x 1 pixels with 2 bits each, which are numbers in a palette of red, green, blue and white;
// green is half transparent. Made with Python's zlib module.
constexpr unsigned char palette_file[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x01, 0x02, 0x03, 0x00, 0x00, 0x00, 0x66,
    0x8e, 0xfc, 0x27, 0x00, 0x00, 0x00, 0x0c, 0x50, 0x4c, 0x54, 0x45, 0xff, 0x00, 0x00, 0x00,
    0xff, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xfb, 0x00, 0x60, 0xf6, 0x00, 0x00, 0x00,
    0x02, 0x74, 0x52, 0x4e, 0x53, 0xff, 0x80, 0x08, 0x0f, 0xb3, 0x6a, 0x00, 0x00, 0x00, 0x0a,
    0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x90, 0x01, 0x00, 0x00, 0x1e, 0x00, 0x1d, 0xe6,
    0xb0, 0x4b, 0x56, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

TEST(PngImage, of_a_palette_has_colours_and_alpha) {
  const auto bytes = std::as_bytes(std::span(palette_file));
  const auto image = read_png(bytes, 3, 1);
  ASSERT_TRUE(image) << image.error().message;
  const auto expected = bytes_of({"\xff\0\0\xff\0\xff\0\x80\xff\xff\xff\xff", 12});
  EXPECT_EQ(*image, (PngImage{3, 1, 4, 8, expected}));
}

// 4 x 1 grey pixels of 2 bits: 0, 1, 2 and 3. Made with Python's zlib module.
constexpr unsigned char grey_file[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00,
    0x00, 0x96, 0xe7, 0x48, 0xb0, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78,
    0xda, 0x63, 0x90, 0x06, 0x00, 0x00, 0x1d, 0x00, 0x1c, 0x23, 0x7c, 0x8f, 0xac, 0x00,
    0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

TEST(PngImage, has_shares_or_numbers) {
  const auto bytes = std::as_bytes(std::span(grey_file));
  const auto shares = read_png(bytes, 4, 1, PngSamples::shares);
  ASSERT_TRUE(shares) << shares.error().message;
  EXPECT_EQ(shares->samples, bytes_of({"\x00\x55\xaa\xff", 4}));
  const auto numbers = read_png(bytes, 4, 1, PngSamples::numbers);
  ASSERT_TRUE(numbers) << numbers.error().message;
  EXPECT_EQ(numbers->samples, bytes_of({"\0\1\2\3", 4}));
  EXPECT_FALSE(read_png(std::as_bytes(std::span(palette_file)), 3, 1, PngSamples::numbers));
}

TEST(PngImage, with_other_sides_is_an_error) {
  const auto file = *write_png(noise(40, 30, 3, 8, 1));
  EXPECT_EQ(error_of(file, 40, 30), "none");
  EXPECT_EQ(error_of(file, 30, 40), "the image has 40 x 30 pixels, and the texture 30 x 40");
}

// A header that promises more pixels than its file has needs no memory for them.
TEST(PngImage, with_a_huge_header_is_an_error) {
  auto file = *write_png(noise(2, 2, 1, 8, 1));
  file[18] = std::byte{0xff};  // of the width
  EXPECT_EQ(error_of(file, 2, 2), "it is not a correct PNG file: IHDR: CRC error");
}

TEST(PngImage, that_is_cut_off_is_an_error) {
  const auto file = *write_png(noise(9, 9, 3, 8, 1));
  for (std::size_t length = 0; length < file.size(); ++length)
    EXPECT_NE(error_of({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length)}, 9, 9),
              "none")
        << length;
}

// Whatever a damaged file does, it is read or it is an error; the sanitizers see the rest.
TEST(PngImage, with_changed_bytes_is_read_or_an_error) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  const auto correct = *write_png(noise(16, 16, 4, 16, 1));
  constexpr std::size_t correct_bytes = 16 * 16 * 4 * 2;
  unsigned errors = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    auto file = correct;
    for (unsigned i = 0; i < 3; ++i) file[random() % file.size()] = std::byte(random());
    const auto image = read_png(file, 16, 16);
    errors += !image;
    if (image) {
      EXPECT_LE(image->samples.size(), correct_bytes) << "seed " << seed;
    }
  }
  EXPECT_GT(errors, 1000u) << "seed " << seed;  // most changes break a checksum
}

}  // namespace
}  // namespace msci
