// Texels of a pixel format as PNG images, and back.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "tasks/plan/texture/png_image.h"
#include "tasks/plan/texture/texel_format.h"

namespace msci {

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
