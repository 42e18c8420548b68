// PNG images, by libpng: https://www.w3.org/TR/png-3/
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace msci {

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

}  // namespace msci
