// Sampling, comparing and gathering with random samplers at random points gives what the reference
// sampler computes, on the processor and on an OpenCL device.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tests/texture/reference_sampler.h"
#include "tests/texture/texture_run.h"

namespace msci {
namespace {

using S = SamplerDescription;
using Kind = TextureKind;
using Format = TexelFormat;

constexpr unsigned points = 256;

const std::vector<Format> colours = {
    Format::rgba8unorm,  Format::bgra8unorm_srgb, Format::r8snorm,      Format::rg16unorm,
    Format::b5g6r5unorm, Format::rgb10a2unorm,    Format::rg11b10float, Format::rgb9e5float,
    Format::rgba16float, Format::rgba32float,     Format::a8unorm,      Format::r32float};

template <typename T>
T one_of(std::initializer_list<T> values, std::mt19937& random) {
  return *(values.begin() + random() % values.size());
}

TextureShape random_shape(Kind kind, Format format, std::mt19937& random) {
  TextureShape shape{.kind = kind, .format = format};
  const auto size = [&] { return one_of({1U, 2U, 3U, 4U, 7U, 16U, 33U}, random); };
  shape.width = size();
  const bool is_line = kind == Kind::d1 || kind == Kind::d1_array;
  const bool is_cube = kind == Kind::cube || kind == Kind::cube_array;
  if (!is_line) shape.height = is_cube ? shape.width : size();
  if (kind == Kind::d3) shape.depth = size();
  if (kind == Kind::d1_array || kind == Kind::d2_array || kind == Kind::cube_array)
    shape.array_length = 1 + random() % 4;
  const auto largest = std::max({shape.width, shape.height, shape.depth});
  if (!is_line)
    shape.mip_levels = 1 + static_cast<std::uint32_t>(random() % std::bit_width(largest));
  return shape;
}

S random_sampler(std::mt19937& random) {
  using A = S::Address;
  const auto address = [&] {
    return one_of(
        {A::clamp_to_edge, A::clamp_to_zero, A::clamp_to_border, A::repeat, A::mirrored_repeat},
        random);
  };
  const auto filter = [&] { return one_of({S::Filter::nearest, S::Filter::linear}, random); };
  S sampler{.coord = random() % 4 == 0 ? S::Coord::pixel : S::Coord::normalized,
            .s_address = address(),
            .t_address = address(),
            .r_address = address(),
            .mag_filter = filter(),
            .min_filter = filter(),
            .mip_filter = static_cast<S::MipFilter>(random() % 3),
            .compare = static_cast<S::Compare>(random() % 9),
            .border = static_cast<S::Border>(random() % 3)};
  if (random() % 4 == 0) sampler.reduction = static_cast<S::Reduction>(random() % 3);
  if (random() % 3 == 0) sampler.least_lod = static_cast<float>(random() % 300) / 100;
  if (random() % 3 == 0) sampler.most_lod = static_cast<float>(random() % 300) / 100;
  return sampler;
}

float random_coordinate(std::uint32_t size, bool is_pixel, std::mt19937& random) {
  const auto extent = static_cast<float>(size);
  const float scale = is_pixel ? extent : 1;
  switch (random() % 16) {
    case 0:
      return one_of({NAN, INFINITY, -INFINITY, 3e38F, -1e20F, 1e9F, 0.0F, 1.0F}, random);
    case 1:  // an edge or the middle of a texel
      return static_cast<float>(random() % (2 * size + 3)) / (2 * extent) * scale;
    case 2:
      return std::uniform_real_distribution<float>(-20, 20)(random) * scale;
    default:
      return std::uniform_real_distribution<float>(-0.3F, 1.3F)(random) * scale;
  }
}

SamplePoint random_point(const TextureShape& shape, const S& sampler, std::mt19937& random) {
  SamplePoint point;
  const bool is_cube = shape.kind == Kind::cube || shape.kind == Kind::cube_array;
  if (is_cube) {
    for (auto& each : point.at) each = std::uniform_real_distribution<float>(-1, 1)(random);
  } else {
    const bool is_pixel = sampler.coord == S::Coord::pixel;
    point.at = {random_coordinate(shape.width, is_pixel, random),
                random_coordinate(shape.height, is_pixel, random),
                random_coordinate(shape.depth, is_pixel, random)};
    if (random() % 2 == 0)
      for (auto& each : point.offset) each = static_cast<int>(random() % 16) - 8;
  }
  point.index = static_cast<std::uint32_t>(random() % (shape.array_length + 1));
  point.lod = std::uniform_real_distribution<float>(-1, 5)(random);
  return point;
}

using Slopes = std::array<std::array<float, 4>, 2>;

// Where the kernel is. Tests run one by one, each with the files that it needs.
std::string file_of(const std::string& kernel) {
  if (kernel.starts_with("gather")) return "gather.metal";
  const bool chooses_level =
      kernel.starts_with("gradient") || kernel.ends_with("_bias") || kernel.ends_with("_clamp");
  return chooses_level ? "level_of_detail.metal" : "sample.metal";
}

// What the kernel of that name returns for a point.
Color expected(const std::string& kernel, const ReferenceTexture& texture, const S& sampler,
               SamplePoint point, float value) {
  const bool has_level = !kernel.starts_with("sample_1d") && kernel != "sample_2d_plain";
  if (!has_level) point.lod = 0;
  if (kernel == "sample_cube_clamp")
    point.least_lod = static_cast<float>(point.index);
  else if (kernel.ends_with("_clamp"))
    point.least_lod = 0.5F * static_cast<float>(point.offset[2]);
  const bool takes_offset =
      has_level && kernel.find("cube") == std::string::npos && kernel != "compare_2d_array";
  if (!takes_offset) point.offset = {};
  if (kernel == "gather_compare_2d") {
    Color color{};
    const auto texels = reference_gather(texture, sampler, point, 0);
    ReferenceTexture one(texture);
    for (unsigned i = 0; i < 4; ++i) {
      one.shape = {.format = texture.shape.format};
      one.texels = {Color{texels[i], 0, 0, 1}};
      S plain = sampler;
      plain.s_address = plain.t_address = S::Address::clamp_to_edge;
      color[i] = reference_compare(one, plain, {}, value);
    }
    return color;
  }
  if (kernel.starts_with("gather"))
    return reference_gather(texture, sampler, point,
                            kernel.ends_with("_y")   ? 1
                            : kernel.ends_with("_z") ? 2
                            : kernel.ends_with("_w") ? 3
                                                     : 0);
  if (kernel.starts_with("compare")) {
    const auto result = reference_compare(texture, sampler, point, value);
    return {result, result, result, result};
  }
  auto color = reference_sample(texture, sampler, point);
  if (kernel.starts_with("sample_depth")) color = {color[0], color[0], color[0], color[0]};
  return color;
}

// From a hundredth of a texel to all of them.
Slopes random_slopes(std::mt19937& random) {
  const float scale = std::exp2(std::uniform_real_distribution<float>(-8, 1)(random));
  Slopes slopes{};
  for (auto& slope : slopes)
    for (unsigned d = 0; d < 3; ++d)
      slope[d] = scale * std::uniform_real_distribution<float>(-1, 1)(random);
  return slopes;
}

// What a kernel may return that computes the level from gradients: the last bits of a logarithm may
// differ, and so may the result where another level or another weight begins.
std::vector<Color> expected_of_slopes(const std::string& kernel, const ReferenceTexture& texture,
                                      const S& sampler, SamplePoint point, const Slopes& slopes) {
  const auto lod = reference_lod(texture.shape, point, slopes);
  std::vector<Color> colours;
  for (const double difference : {0.0, -1e-4, 1e-4}) {
    point.lod = static_cast<float>(lod + difference);
    colours.push_back(expected(kernel, texture, sampler, point, 0));
  }
  return colours;
}

// What a kernel may return that samples a cube: the place on a face is a quotient, and where its
// last bit differs, so may the texel or its weight.
std::vector<Color> expected_around(const std::string& kernel, const ReferenceTexture& texture,
                                   const S& sampler, const SamplePoint& point, float reference) {
  std::vector<Color> colours{expected(kernel, texture, sampler, point, reference)};
  constexpr std::array nudges = {1.0F, 1 - 0x1p-23F, 1 + 0x1p-23F};
  for (const auto x : nudges)
    for (const auto y : nudges)
      for (const auto z : nudges) {
        auto nudged = point;
        nudged.at = {point.at[0] * x, point.at[1] * y, point.at[2] * z};
        colours.push_back(expected(kernel, texture, sampler, nudged, reference));
      }
  return colours;
}

bool is_near(const std::array<float, 4>& got, const Color& answer, double tolerance) {
  for (unsigned c = 0; c < 4; ++c)
    if (!(std::abs(got[c] - answer[c]) <= tolerance * std::max(1.0, std::abs(answer[c]))))
      return false;
  return true;
}

class Sampling : public testing::TestWithParam<std::string> {
 protected:
  void check(const std::string& kernel, const TextureShape& shape, S sampler, double tolerance,
             std::mt19937& random) {
    const auto texels = random_texels(shape, random);
    const ReferenceTexture texture(shape, texels);
    std::vector<std::array<float, 4>> at;
    std::vector<std::array<std::int32_t, 4>> more;
    std::vector<float> values;
    std::vector<Slopes> slopes;
    std::vector<std::vector<Color>> answers;  // any of them is right
    const bool takes_slopes = kernel.starts_with("gradient");
    for (unsigned i = 0; i < points; ++i) {
      const auto point = random_point(shape, sampler, random);
      at.push_back({point.at[0], point.at[1], point.at[2], point.lod});
      more.push_back({static_cast<std::int32_t>(point.index), point.offset[0], point.offset[1],
                      point.offset[2]});
      values.push_back(std::uniform_real_distribution<float>(-0.2F, 1.2F)(random));
      slopes.push_back(random_slopes(random));
      answers.push_back(
          takes_slopes ? expected_of_slopes(kernel, texture, sampler, point, slopes.back())
          : shape.kind == Kind::cube || shape.kind == Kind::cube_array
              ? expected_around(kernel, texture, sampler, point, values.back())
              : std::vector{expected(kernel, texture, sampler, point, values.back())});
    }
    TexturePlan plan(kernel, {points});
    plan.texture(0, shape, texels);
    plan.sampler(0, sampler);
    plan.buffer(0, at);
    plan.buffer(1, more);
    if (kernel.find("compare") != std::string::npos) plan.buffer(2, values);
    if (takes_slopes) plan.buffer(2, slopes);
    plan.result(plan.buffer(3, std::vector<std::array<float, 4>>(points)));
    const auto outputs = TextureKernels::of(GetParam(), file_of(kernel)).run(plan.take());
    ASSERT_EQ(outputs.size(), 1U);
    const auto got = outputs[0].as<std::array<float, 4>>();
    for (unsigned i = 0; i < points; ++i)
      ASSERT_TRUE(std::ranges::any_of(
          answers[i], [&](const Color& each) { return is_near(got[i], each, tolerance); }))
          << layout_of(shape.format).name << " " << shape.width << "x" << shape.height << "x"
          << shape.depth << "x" << shape.array_length << ", " << shape.mip_levels
          << " levels, sampler " << std::hex << sampler_bits(sampler) << std::dec << ", point "
          << at[i][0] << " " << at[i][1] << " " << at[i][2] << " lod " << at[i][3] << ", index "
          << more[i][0] << " offset " << more[i][1] << " " << more[i][2] << " " << more[i][3]
          << ": " << testing::PrintToString(got[i]) << " instead of "
          << testing::PrintToString(answers[i][0]);
  }

  // The first component of a texture of one row, or of a cube, at a point.
  float first_component(const std::string& kernel, const TextureShape& shape,
                        std::span<const std::byte> texels, const S& sampler,
                        const std::array<float, 4>& at) {
    TexturePlan plan(kernel, {1});
    plan.texture(0, shape, texels);
    plan.sampler(0, sampler);
    plan.buffer(0, std::vector{at});
    plan.buffer(1, std::vector<std::array<std::int32_t, 4>>(1));
    plan.result(plan.buffer(3, std::vector<std::array<float, 4>>(1)));
    const auto outputs = TextureKernels::of(GetParam(), file_of(kernel)).run(plan.take());
    return outputs.empty() ? std::nanf("") : outputs[0].as<std::array<float, 4>>()[0][0];
  }

  // Each kernel with several random textures and samplers, or with the sampler that it declares.
  void check_all(std::initializer_list<std::pair<const char*, Kind>> cases,
                 std::span<const Format> formats, double tolerance, unsigned rounds,
                 const std::optional<S>& declared = {}) {
    const auto seed = std::random_device{}();
    std::mt19937 random(seed);
    for (const auto& [kernel, kind] : cases)
      for (unsigned i = 0; i < rounds; ++i) {
        SCOPED_TRACE(std::string(kernel) + ", seed " + std::to_string(seed));
        const auto format = formats[random() % formats.size()];
        auto sampler = declared ? *declared : random_sampler(random);
        if (is_integer(format)) {
          sampler.mag_filter = sampler.min_filter = S::Filter::nearest;
          sampler.mip_filter = static_cast<S::MipFilter>(random() % 2);
        }
        check(kernel, random_shape(kind, format, random), sampler, tolerance, random);
        if (HasFatalFailure()) return;
      }
  }
};

TEST_P(Sampling, flat_textures) {
  check_all({{"sample_1d", Kind::d1},
             {"sample_1d_array", Kind::d1_array},
             {"sample_2d", Kind::d2},
             {"sample_2d_plain", Kind::d2},
             {"sample_2d_array", Kind::d2_array},
             {"sample_3d", Kind::d3}},
            colours, 1e-5, 24);
}

TEST_P(Sampling, cubes) {
  check_all({{"sample_cube", Kind::cube}, {"sample_cube_array", Kind::cube_array}}, colours, 1e-5,
            24);
}

TEST_P(Sampling, halves) {
  const std::array formats = {Format::rgba8unorm, Format::rgba16float, Format::rg16snorm};
  check_all({{"sample_2d_half", Kind::d2}}, formats, 4e-3, 16);
}

TEST_P(Sampling, texels_without_weight_do_not_count) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::array texels = {infinity, 3.0F};
  const TextureShape row{.format = Format::r32float, .width = 2};
  for (const auto reduction :
       {S::Reduction::weighted_average, S::Reduction::minimum, S::Reduction::maximum}) {
    const S linear{.mag_filter = S::Filter::linear, .reduction = reduction};
    EXPECT_EQ(
        first_component("sample_2d", row, std::as_bytes(std::span(texels)), linear, {0.75F, 0.5F}),
        3);
  }
}

// Three faces meet at a corner; a fourth texel is missing there.
TEST_P(Sampling, corners_of_cubes) {
  const std::vector<std::uint32_t> numbers(6, 4000000000);
  const TextureShape whole{.kind = Kind::cube, .format = Format::r32uint};
  const S linear{.mag_filter = S::Filter::linear, .min_filter = S::Filter::linear};
  EXPECT_EQ(first_component("sample_cube_uint", whole, std::as_bytes(std::span(numbers)), linear,
                            {1, 1, 1}),
            4e9F);
  const std::vector<float> large(6, 0x1p127F);
  const TextureShape floats{.kind = Kind::cube, .format = Format::r32float};
  EXPECT_NEAR(first_component("sample_cube", floats, std::as_bytes(std::span(large)), linear,
                              {1, 1, 0.99F}) /
                  large[0],
              1, 1e-5);
}

TEST_P(Sampling, integers) {
  const std::array whole = {Format::rgba8uint, Format::r32uint, Format::rgb10a2uint};
  check_all({{"sample_2d_uint", Kind::d2}}, whole, 1e-6, 8);
  const std::array with_sign = {Format::rgba8sint, Format::rg16sint};
  check_all({{"sample_2d_int", Kind::d2}}, with_sign, 1e-6, 8);
}

TEST_P(Sampling, depth_textures) {
  const std::array formats = {Format::depth32float, Format::depth16unorm};
  check_all({{"sample_depth_2d", Kind::d2},
             {"sample_depth_cube", Kind::cube},
             {"compare_2d", Kind::d2},
             {"compare_2d_array", Kind::d2_array},
             {"compare_cube", Kind::cube},
             {"compare_cube_array", Kind::cube_array}},
            formats, 1e-5, 16);
}

TEST_P(Sampling, gathers) {
  check_all({{"gather_x", Kind::d2},
             {"gather_y", Kind::d2},
             {"gather_z", Kind::d2},
             {"gather_w", Kind::d2_array},
             {"gather_cube_z", Kind::cube},
             {"gather_cube_array_w", Kind::cube_array}},
            colours, 1e-5, 12);
  const std::array formats = {Format::depth32float};
  check_all({{"gather_depth", Kind::d2},
             {"gather_depth_array", Kind::d2_array},
             {"gather_depth_cube", Kind::cube},
             {"gather_compare_2d", Kind::d2}},
            formats, 1e-5, 12);
}

TEST_P(Sampling, gathers_of_halves_and_integers) {
  const std::array narrow = {Format::rgba8unorm, Format::rgba16float, Format::rg16snorm};
  check_all(
      {{"gather_half_x", Kind::d2}, {"gather_half_y", Kind::d2}, {"gather_half_w", Kind::d2_array}},
      narrow, 1e-3, 8);
  const std::array whole = {Format::rgba8uint, Format::rgb10a2uint};
  check_all({{"gather_uint_z", Kind::d2}}, whole, 0, 8);
  const std::array with_sign = {Format::rgba8sint, Format::rg16sint};
  check_all({{"gather_int_y", Kind::d2}}, with_sign, 0, 8);
}

TEST_P(Sampling, with_bias_and_least_level) {
  check_all({{"sample_2d_bias", Kind::d2}, {"sample_2d_clamp", Kind::d2}}, colours, 1e-5, 24);
  check_all({{"sample_cube_clamp", Kind::cube}}, colours, 1e-5, 12);
}

TEST_P(Sampling, with_constant_samplers_and_pixel_coordinates) {
  const S nearest{.coord = S::Coord::pixel,
                  .s_address = S::Address::clamp_to_zero,
                  .t_address = S::Address::clamp_to_zero};
  const S linear{
      .coord = S::Coord::pixel, .mag_filter = S::Filter::linear, .min_filter = S::Filter::linear};
  const S border{.coord = S::Coord::pixel,
                 .s_address = S::Address::clamp_to_border,
                 .mag_filter = S::Filter::linear,
                 .mip_filter = S::MipFilter::nearest,
                 .border = S::Border::opaque_white};
  for (const auto& [kernel, sampler] :
       {std::pair("sample_pixel_nearest", nearest), std::pair("sample_pixel_linear", linear),
        std::pair("sample_pixel_border", border)})
    check_all({{kernel, Kind::d2}}, colours, 1e-5, 12, sampler);
}

TEST_P(Sampling, with_gradients) {
  check_all({{"gradient_2d", Kind::d2},
             {"gradient_2d_array", Kind::d2_array},
             {"gradient_2d_clamp", Kind::d2},
             {"gradient_3d", Kind::d3}},
            colours, 1e-5, 16);
  check_all({{"gradient_cube", Kind::cube}, {"gradient_cube_array", Kind::cube_array}}, colours,
            1e-5, 24);
}

INSTANTIATE_TEST_SUITE_P(Devices, Sampling, testing::Values("opencl", "cpu"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace msci
