#include "tests/texture/reference_sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>

namespace msci {
namespace {

using S = SamplerDescription;
using Texel3 = std::array<long, 3>;

bool is_cube(const TextureShape& shape) {
  return shape.kind == TextureKind::cube || shape.kind == TextureKind::cube_array;
}

unsigned dimensions(const TextureShape& shape) {
  switch (shape.kind) {
    case TextureKind::d1:
    case TextureKind::d1_array:
    case TextureKind::buffer:
      return 1;
    case TextureKind::d3:
      return 3;
    default:
      return 2;
  }
}

std::array<long, 3> extent(const TextureShape& shape, std::uint32_t lod) {
  return {std::max(1L, long{shape.width} >> lod), std::max(1L, long{shape.height} >> lod),
          std::max(1L, long{shape.depth} >> lod)};
}

std::uint32_t layers(const TextureShape& shape) {
  return shape.array_length * (is_cube(shape) ? 6 : 1);
}

const Color& texel(const ReferenceTexture& texture, const Texel3& at, std::uint32_t layer,
                   std::uint32_t lod, std::uint32_t sample = 0) {
  const auto size = extent(texture.shape, lod);
  const auto level = levels_of(texture.shape)[lod];
  const auto place =
      ((static_cast<long>(layer) * size[2] + at[2]) * size[1] + at[1]) * size[0] + at[0];
  return texture
      .texels[level.first_texel + static_cast<std::size_t>(place) * texture.shape.samples + sample];
}

// A texel index after the address mode; nothing beyond a border.
std::optional<long> addressed(long i, long size, S::Address mode) {
  switch (mode) {
    case S::Address::clamp_to_edge:
      return std::clamp(i, 0L, size - 1);
    case S::Address::clamp_to_zero:
    case S::Address::clamp_to_border:
      if (i < 0 || i >= size) return std::nullopt;
      return i;
    case S::Address::repeat:
      return ((i % size) + size) % size;
    case S::Address::mirrored_repeat: {
      const long place = ((i % (2 * size)) + 2 * size) % (2 * size);
      return place < size ? place : 2 * size - 1 - place;
    }
  }
  return 0;
}

Color border(const TextureShape& shape, const S& sampler, S::Address mode) {
  const bool is_colour = mode == S::Address::clamp_to_border;
  const double rest = is_colour && sampler.border == S::Border::opaque_white ? 1 : 0;
  const bool is_opaque = is_colour && sampler.border != S::Border::transparent_black;
  const auto& fields = layout_of(shape.format).fields;
  Color color{0, 0, 0, is_opaque || fields[3].bits == 0 ? 1.0 : 0.0};
  for (unsigned i = 0; i < 3; ++i)
    if (fields[i].bits > 0) color[i] = rest;
  return color;
}

using Map = std::function<Color(const Color&)>;

// One tap: a texel and its weight.
struct Tap {
  Color color;
  double weight = 0;
};

double to_256th(float x) { return std::floor(x * 256 + 0.5F) / 256; }

// The float that the coordinate is in texels, as the rules compute it.
double in_texels(float at, long size, S::Address mode, bool is_pixel) {
  if (std::isnan(at)) return 0;
  if (!is_pixel) {
    if (mode == S::Address::repeat) at -= std::floor(at);
    if (mode == S::Address::mirrored_repeat) at -= 2 * std::floor(at * 0.5F);
    at *= static_cast<float>(size);
  }
  if (std::isnan(at)) return 0;
  return std::clamp(at, -4194304.0F, 4194304.0F);
}

struct Axis {
  long first = 0;
  double weight = 0;  // of the texel after the first
};

Axis axis_of(double texels, bool is_linear, int offset) {
  const auto from = static_cast<double>(static_cast<float>(is_linear ? texels - 0.5 : texels));
  const double below = std::floor(from);
  return {static_cast<long>(below) + std::clamp(offset, -8, 7),
          is_linear ? to_256th(static_cast<float>(from) - static_cast<float>(below)) : 0};
}

Color blend(const std::vector<Tap>& taps, S::Reduction reduction) {
  Color sum{};
  bool is_first = true;
  for (const auto& tap : taps) {
    if (tap.weight == 0) continue;
    for (unsigned c = 0; c < 4; ++c)
      if (reduction == S::Reduction::weighted_average)
        sum[c] += tap.color[c] * tap.weight;
      else if (is_first)
        sum[c] = tap.color[c];
      else
        sum[c] = reduction == S::Reduction::minimum ? std::min(sum[c], tap.color[c])
                                                    : std::max(sum[c], tap.color[c]);
    is_first = false;
  }
  return sum;
}

// ---- flat textures

// The taps of a level, in the order of memory: x fastest.
std::vector<Tap> flat_taps(const ReferenceTexture& texture, const S& sampler,
                           const SamplePoint& point, std::uint32_t layer, std::uint32_t lod,
                           bool is_linear, const Map& map) {
  const auto size = extent(texture.shape, lod);
  const std::array modes = {sampler.s_address, sampler.t_address, sampler.r_address};
  const auto count = dimensions(texture.shape);
  std::array<Axis, 3> axes;
  for (unsigned d = 0; d < count; ++d)
    axes[d] = axis_of(in_texels(point.at[d], size[d], modes[d], sampler.coord == S::Coord::pixel),
                      is_linear, point.offset[d]);
  std::vector<Tap> taps;
  for (unsigned corner = 0; corner < 1U << count; ++corner) {
    Texel3 at{};
    double weight = 1;
    std::optional<S::Address> outside;
    for (unsigned d = 0; d < count; ++d) {
      const bool second = corner >> d & 1;
      weight *= second ? axes[d].weight : 1 - axes[d].weight;
      const auto i = addressed(axes[d].first + second, size[d], modes[d]);
      if (i)
        at[d] = *i;
      else if (!outside)
        outside = modes[d];
    }
    taps.push_back(
        {map(outside ? border(texture.shape, sampler, *outside) : texel(texture, at, layer, lod)),
         weight});
  }
  return taps;
}

// ---- cubes

// The axes of a face: the direction of its middle, of its columns and of its rows.
struct FaceAxes {
  std::array<int, 3> middle, across, down;
};
constexpr std::array<FaceAxes, 6> face_axes = {{{{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
                                                {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
                                                {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
                                                {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
                                                {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},
                                                {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}}}};

template <typename A, typename B>
double dot(const A& a, const B& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

unsigned face_of(const std::array<float, 3>& to) {
  unsigned best = 0;
  double most = -1;
  for (unsigned face = 0; face < 6; ++face)
    if (const double along = dot(face_axes[face].middle, to); along > most) {
      most = along;
      best = face;
    }
  return best;
}

// Where a texel beyond one edge of a face lies: in the face that shares the edge, at the same place
// along it.
struct OnCube {
  unsigned face = 0;
  long i = 0, j = 0;
};
OnCube across_edge(unsigned face, long i, long j, long size) {
  const auto& from = face_axes[face];
  const long last = size - 1;
  std::array<double, 3> to{};
  const auto step_to = [&](const std::array<int, 3>& axis, double by) {
    for (unsigned d = 0; d < 3; ++d) to[d] += axis[d] * by;
  };
  // In texels from the middle of the cube.
  const double half = static_cast<double>(size) / 2;
  const auto place = [&](long k) {
    return k < 0 ? -half : k > last ? half : static_cast<double>(k) + 0.5 - half;
  };
  step_to(from.middle, half - 0.5);
  step_to(from.across, place(i));
  step_to(from.down, place(j));
  for (unsigned next = 0; next < 6; ++next)
    if (next != face && dot(face_axes[next].middle, to) >= half - 0.25)
      return {next, static_cast<long>(std::floor(dot(face_axes[next].across, to) + half)),
              static_cast<long>(std::floor(dot(face_axes[next].down, to) + half))};
  return {face, i, j};
}

// The four taps around a direction, first column and row first.
std::vector<Tap> cube_taps(const ReferenceTexture& texture, const SamplePoint& point,
                           std::uint32_t layer, std::uint32_t lod, bool is_linear, const Map& map) {
  const long size = extent(texture.shape, lod)[0];
  const auto face = face_of(point.at);
  const auto& axes = face_axes[face];
  const auto along = static_cast<float>(dot(axes.middle, point.at));
  const auto part = [&](const std::array<int, 3>& axis) {
    const float across = static_cast<float>(dot(axis, point.at)) / along;
    const float at = (across + 1) * 0.5F * static_cast<float>(size);
    return std::isnan(at) ? 0.0 : static_cast<double>(at);
  };
  const auto u = part(axes.across), v = part(axes.down);
  if (!is_linear)
    return {{map(texel(texture,
                       {std::clamp(static_cast<long>(std::floor(u)), 0L, size - 1),
                        std::clamp(static_cast<long>(std::floor(v)), 0L, size - 1), 0},
                       layer + face, lod)),
             1}};
  const auto x = axis_of(u, true, 0), y = axis_of(v, true, 0);
  std::vector<Tap> taps(4);
  std::optional<unsigned> missing;
  for (unsigned k = 0; k < 4; ++k) {
    const long i = x.first + (k & 1), j = y.first + (k >> 1);
    taps[k].weight = ((k & 1) ? x.weight : 1 - x.weight) * ((k >> 1) ? y.weight : 1 - y.weight);
    const bool leaves_i = i < 0 || i >= size, leaves_j = j < 0 || j >= size;
    if (leaves_i && leaves_j) {
      missing = k;
      continue;
    }
    const auto at = leaves_i || leaves_j ? across_edge(face, i, j, size) : OnCube{face, i, j};
    taps[k].color = map(texel(texture, {at.i, at.j, 0}, layer + at.face, lod));
  }
  if (missing)
    for (unsigned c = 0; c < 4; ++c) {
      double sum = 0;
      for (unsigned k = 0; k < 4; ++k)
        if (k != *missing) sum += taps[k].color[c];
      taps[*missing].color[c] = sum / 3;
    }
  return taps;
}

std::vector<Tap> taps_of(const ReferenceTexture& texture, const S& sampler,
                         const SamplePoint& point, std::uint32_t lod, bool is_linear,
                         const Map& map) {
  const auto& shape = texture.shape;
  const auto layer = std::min(point.index, shape.array_length - 1) * (is_cube(shape) ? 6 : 1);
  if (is_cube(shape)) return cube_taps(texture, point, layer, lod, is_linear, map);
  return flat_taps(texture, sampler, point, layer, lod, is_linear, map);
}

Color sampled(const ReferenceTexture& texture, const S& sampler, const SamplePoint& point,
              const Map& map) {
  const auto from_steps = [](float value) { return std::floor(value * 256 + 0.5F) / 256; };
  const float least = from_steps(std::clamp(sampler.least_lod, 0.0F, 4095 / 256.0F));
  const float most = from_steps(std::clamp(sampler.most_lod, 0.0F, 4095 / 256.0F));
  const float lod = std::min(std::max({point.lod + sampler.bias, least, point.least_lod}), most);
  const bool is_linear = (lod <= 0 ? sampler.mag_filter : sampler.min_filter) == S::Filter::linear;
  const std::uint32_t last = texture.shape.mip_levels - 1;
  const auto at_level = [&](std::uint32_t level) {
    return blend(taps_of(texture, sampler, point, level, is_linear, map), sampler.reduction);
  };
  const auto limited = [&](float level) {
    return static_cast<std::uint32_t>(std::min(level, static_cast<float>(last)));
  };
  switch (sampler.mip_filter) {
    case S::MipFilter::none:
      return at_level(0);
    case S::MipFilter::nearest:
      return at_level(limited(std::floor(lod + 0.5F)));
    case S::MipFilter::linear:
      break;
  }
  const auto level = limited(std::floor(lod));
  const double weight = level == last ? 0 : to_256th(lod - static_cast<float>(level));
  std::vector<Tap> both{{at_level(level), 1 - weight}};
  if (weight > 0) both.push_back({at_level(level + 1), weight});
  return blend(both, sampler.reduction);
}

bool passes(double reference, double texel, S::Compare compare) {
  switch (compare) {
    case S::Compare::none:
    case S::Compare::never:
      return false;
    case S::Compare::less:
      return reference < texel;
    case S::Compare::less_equal:
      return reference <= texel;
    case S::Compare::greater:
      return reference > texel;
    case S::Compare::greater_equal:
      return reference >= texel;
    case S::Compare::equal:
      return reference == texel;
    case S::Compare::not_equal:
      return reference != texel;
    case S::Compare::always:
      return true;
  }
  return false;
}

Color unchanged(const Color& color) { return color; }

}  // namespace

ReferenceTexture::ReferenceTexture(const TextureShape& shape, std::span<const std::byte> encoded)
    : shape(shape) {
  const auto encoding = layout_of(shape.format).encoding;
  const auto bytes = layout_of(shape.format).bytes;
  for (; !encoded.empty(); encoded = encoded.subspan(bytes)) {
    const auto texel = decode(shape.format, encoded.first(bytes));
    auto& color = texels.emplace_back();
    for (unsigned c = 0; c < 4; ++c)
      color[c] = encoding == TexelEncoding::uint   ? texel[c]
                 : encoding == TexelEncoding::sint ? static_cast<std::int32_t>(texel[c])
                                                   : double{std::bit_cast<float>(texel[c])};
  }
}

double reference_lod(const TextureShape& shape, const SamplePoint& point,
                     const std::array<std::array<float, 4>, 2>& gradients) {
  double most = 0;
  for (const auto& gradient : gradients) {
    std::array<double, 3> texels{};
    if (is_cube(shape)) {
      // The derivative of (across / along + 1) / 2, in faces.
      const auto& axes = face_axes[face_of(point.at)];
      const double along = dot(axes.middle, point.at), change = dot(axes.middle, gradient);
      unsigned d = 0;
      for (const auto& axis : {axes.across, axes.down})
        texels[d++] =
            (dot(axis, gradient) - dot(axis, point.at) * change / along) / along / 2 * shape.width;
    } else {
      const auto size = extent(shape, 0);
      for (unsigned d = 0; d < dimensions(shape); ++d)
        texels[d] = double{gradient[d]} * static_cast<double>(size[d]);
    }
    most = std::max(most, std::hypot(texels[0], texels[1], texels[2]));
  }
  return std::log2(most);
}

Color reference_sample(const ReferenceTexture& texture, const S& sampler,
                       const SamplePoint& point) {
  return sampled(texture, sampler, point, unchanged);
}

double reference_compare(const ReferenceTexture& texture, const S& sampler,
                         const SamplePoint& point, float value) {
  if (texture.shape.format == TexelFormat::depth16unorm) value = std::clamp(value, 0.0F, 1.0F);
  return sampled(texture, sampler, point, [&](const Color& color) {
    return Color{passes(value, color[0], sampler.compare) ? 1.0 : 0.0, 0, 0, 0};
  })[0];
}

Color reference_gather(const ReferenceTexture& texture, const S& sampler, const SamplePoint& point,
                       unsigned component) {
  const auto taps = taps_of(texture, sampler, point, 0, true, unchanged);
  return {taps[2].color[component], taps[3].color[component], taps[1].color[component],
          taps[0].color[component]};
}

Color reference_read(const ReferenceTexture& texture, std::array<std::uint32_t, 3> at,
                     std::uint32_t layer, std::uint32_t sample, std::uint32_t lod) {
  const auto& shape = texture.shape;
  if (lod >= shape.mip_levels || layer >= layers(shape) || sample >= shape.samples) return {};
  const auto size = extent(shape, lod);
  Texel3 place{};
  for (unsigned d = 0; d < dimensions(shape); ++d) {
    if (at[d] >= size[d]) return {};
    place[d] = at[d];
  }
  return texel(texture, place, layer, lod, sample);
}

}  // namespace msci
