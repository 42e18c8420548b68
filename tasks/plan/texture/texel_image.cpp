#include "tasks/plan/texture/texel_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>

#include "tasks/plan/texture/texel_fields.h"

namespace msci {
namespace {

constexpr std::size_t red = 0, green = 1, blue = 2, alpha = 3;

// Components of one pixel or texel, from red to alpha, each from 0 to its largest value.
using Components = std::array<std::uint32_t, 4>;

bool is_normalised(TexelEncoding encoding) {
  return encoding == TexelEncoding::unorm || encoding == TexelEncoding::srgb;
}

std::uint32_t sample_at(const PngImage& image, std::size_t number) {
  if (image.bits == 8) return std::to_integer<std::uint32_t>(image.samples[number]);
  return std::to_integer<std::uint32_t>(image.samples[2 * number]) |
         std::to_integer<std::uint32_t>(image.samples[2 * number + 1]) << 8;
}

std::uint32_t largest_sample(const PngImage& image) { return (1u << image.bits) - 1; }

// `missing` is the alpha of an image without one.
Components pixel_at(const PngImage& image, std::size_t number, std::uint32_t missing) {
  const auto first = number * image.channels;
  const auto at = [&](std::size_t channel) { return sample_at(image, first + channel); };
  if (image.channels < 3) return {at(0), at(0), at(0), image.channels == 2 ? at(1) : missing};
  return {at(0), at(1), at(2), image.channels == 4 ? at(3) : missing};
}

// Why an image of those channels cannot become texels of the format.
std::optional<Error> refuse_layout(const PngImage& image, TexelFormat format) {
  const auto& layout = layout_of(format);
  if (layout.encoding == TexelEncoding::snorm || layout.encoding == TexelEncoding::sint)
    return Error{
        fmt::format("a PNG has no negative numbers for {}; use a .bin or .npy file", layout.name)};
  const auto components = present_fields(format).size();
  const bool has_alpha = image.channels == 2 || image.channels == 4;
  const bool fits = image.channels == 1 ? components != 2
                    : has_alpha         ? components == 4
                                        : components >= 3;
  if (fits) return std::nullopt;
  constexpr std::string_view words[] = {"grey", "grey and alpha", "red, green and blue",
                                        "red, green, blue and alpha"};
  return Error{
      fmt::format("the image has {}, and {} has {} component{}; convert the image, or use "
                  "a .bin or .npy file",
                  words[image.channels - 1], layout.name, components, components == 1 ? "" : "s")};
}

// `sample` of `largest` as a number of the component, rounded to the nearest.
std::uint32_t scaled(std::uint32_t sample, std::uint32_t largest, TexelField field) {
  const auto product = std::uint64_t{sample} * largest_of(field);
  return static_cast<std::uint32_t>((product + largest / 2) / largest);
}

void put_normalised(const Components& pixel, std::uint32_t largest, const TexelLayout& layout,
                    std::span<std::byte> to) {
  for (std::size_t i = 0; i < pixel.size(); ++i)
    if (const auto field = layout.fields[i]; field.bits > 0)
      put_field(to, field, scaled(pixel[i], largest, field));
}

void put_floats(const Components& pixel, std::uint32_t largest, TexelFormat format,
                std::span<std::byte> to) {
  Texel texel;
  for (std::size_t i = 0; i < pixel.size(); ++i)
    texel[i] =
        std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<double>(pixel[i]) / largest));
  encode(format, texel, to);
}

std::optional<Error> put_integers(const Components& pixel, const TexelLayout& layout,
                                  std::span<std::byte> to) {
  for (std::size_t i = 0; i < pixel.size(); ++i) {
    const auto field = layout.fields[i];
    if (field.bits == 0) continue;
    if (pixel[i] > largest_of(field))
      return Error{
          fmt::format("the image has the number {}, which {} cannot hold", pixel[i], layout.name)};
    put_field(to, field, pixel[i]);
  }
  return std::nullopt;
}

// A component as a sample.
std::uint32_t sample_of(std::span<const std::byte> texel, const Texel& values,
                        std::size_t component, const TexelLayout& layout, unsigned bits) {
  const auto field = layout.fields[component];
  const auto largest = (1u << bits) - 1;
  if (field.bits == 0) return 0;
  if (layout.encoding == TexelEncoding::uint) return get_field(texel, field);
  if (is_normalised(layout.encoding)) {
    const auto product = std::uint64_t{get_field(texel, field)} * largest;
    return static_cast<std::uint32_t>((product + largest_of(field) / 2) / largest_of(field));
  }
  const auto value = std::bit_cast<float>(values[component]);
  const auto limited = std::isnan(value) ? 0 : std::clamp(value, 0.0f, 1.0f);
  return static_cast<std::uint32_t>(std::lround(limited * static_cast<float>(largest)));
}

// The components that become channels, in their order.
std::vector<std::size_t> shown_components(const TexelLayout& layout, std::size_t present) {
  if (present == 1) return {layout.fields[red].bits > 0 ? red : alpha};
  if (present == 4) return {red, green, blue, alpha};
  return {red, green, blue};
}

}  // namespace

Result<std::vector<std::byte>> texels_from(const PngImage& image, TexelFormat format) {
  if (auto refused = refuse_layout(image, format)) return *refused;
  const auto& layout = layout_of(format);
  const bool is_number = is_integer(format);
  const auto largest = largest_sample(image);
  const auto pixels = std::size_t{image.width} * image.height;
  std::vector<std::byte> texels(pixels * layout.bytes);
  for (std::size_t i = 0; i < pixels; ++i) {
    const auto to = std::span(texels).subspan(i * layout.bytes, layout.bytes);
    auto pixel = pixel_at(image, i, is_number ? 1 : largest);
    if (layout.fields[red].bits == 0) pixel[alpha] = pixel[red];  // a8unorm
    if (is_number) {
      if (auto error = put_integers(pixel, layout, to)) return *error;
    } else if (is_normalised(layout.encoding)) {
      put_normalised(pixel, largest, layout, to);
    } else {
      put_floats(pixel, largest, format, to);
    }
  }
  return texels;
}

std::optional<PngImage> image_of(std::span<const std::byte> texels, TexelFormat format,
                                 unsigned width, unsigned height) {
  const auto& layout = layout_of(format);
  const auto fields = present_fields(format);
  const auto most_bits = std::ranges::max(fields, {}, &TexelField::bits).bits;
  if (layout.encoding == TexelEncoding::snorm || layout.encoding == TexelEncoding::sint ||
      (layout.encoding == TexelEncoding::uint && most_bits > 16))
    return std::nullopt;
  const bool is_fine = most_bits > 8 || layout.encoding == TexelEncoding::shared_exponent;
  const auto components = shown_components(layout, fields.size());
  PngImage image{width, height, static_cast<unsigned>(components.size()), is_fine ? 16u : 8u, {}};
  for (std::size_t i = 0; i < std::size_t{width} * height; ++i) {
    const auto texel = texels.subspan(i * layout.bytes, layout.bytes);
    const auto values = decode(format, texel);
    for (const auto component : components) {
      const auto sample = sample_of(texel, values, component, layout, image.bits);
      for (unsigned shift = 0; shift < image.bits; shift += 8)
        image.samples.push_back(static_cast<std::byte>(sample >> shift & 0xff));
    }
  }
  return image;
}

}  // namespace msci
