// Texels of a pixel format as PNG images, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "tasks/plan/texture/texel_format.h"

namespace msci {

// PNG images, by libpng: https://www.w3.org/TR/png-3/

// The samples of an image as its file has them: colour profiles and gamma are ignored.
struct PngImage {
  unsigned width = 0;
  unsigned height = 0;
  unsigned channels = 0;  // 1: grey; 2: grey, alpha; 3: red, green, blue; 4: these and alpha
  unsigned bits = 0;      // of a sample: 8 or 16
  // Row by row from the top, without padding; samples of 16 bits are little-endian.
  std::vector<std::byte> samples;
  bool operator==(const PngImage&) const = default;
};

bool is_png(std::span<const std::byte> file);

// What samples mean: shares of the largest one, so that those of fewer than 8 bits are widened, or
// the numbers that the file has.
enum class PngSamples { shares, numbers };

// Reads an image that must have these sides. Palettes become colours, samples of fewer than 8 bits
// become 8 bits, and a transparent colour becomes alpha. Errors: a damaged file, a palette where
// numbers are wanted, and other sides, before memory for the samples is allocated.
Result<PngImage> read_png(std::span<const std::byte> file, unsigned width, unsigned height,
                          PngSamples meaning = PngSamples::shares);

// The image as a file. Errors: libpng's.
Result<std::vector<std::byte>> write_png(const PngImage& image);

// The texels of an image, row by row. Samples mean 0 to 1 in normalised and in float formats, and
// are rounded to the nearest value of the format; an sRGB format takes them as they are; in an
// integer format they are the numbers. Grey is red, green and blue, or the only component of the
// format; without alpha it is 1 (of an integer format: 1). Errors: an image with other components
// than the format, a signed format, and a number that the format cannot hold.
Result<std::vector<std::byte>> texels_from(const PngImage& image, TexelFormat format);

// The image that shows rows of texels: floats are limited to 0 to 1, and two components are red and
// green. None: a PNG cannot have the numbers of the format, signed ones and integers of 32 bits.
std::optional<PngImage> image_of(std::span<const std::byte> texels, TexelFormat format,
                                 unsigned width, unsigned height);

}  // namespace msci
