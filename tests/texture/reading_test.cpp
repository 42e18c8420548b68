// Reads, writes, sizes and atomic operations, on the processor and on an OpenCL device.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/texture/reference_sampler.h"
#include "tests/texture/texture_run.h"

namespace msci {
namespace {

using Kind = TextureKind;
using Format = TexelFormat;

std::vector<Format> all_formats() {
  std::vector<Format> all;
  for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(Format::depth32float); ++i)
    all.push_back(static_cast<Format>(i));
  return all;
}

class Reading : public testing::TestWithParam<std::string> {
 protected:
  void check_read(const std::string& kernel, const TextureShape& shape, std::mt19937& random) {
    constexpr unsigned points = 128;
    const auto texels = random_texels(shape, random);
    const ReferenceTexture texture(shape, texels);
    const bool is_multisampled = shape.samples > 1;
    std::vector<std::array<std::uint32_t, 4>> at(points);
    for (auto& each : at) {
      each = {static_cast<std::uint32_t>(random() % (shape.width + 1)),
              static_cast<std::uint32_t>(random() % (shape.height + 1)),
              static_cast<std::uint32_t>(random() % (std::max(shape.depth, 13U) + 1)),
              static_cast<std::uint32_t>(random() % 4)};
      if (random() % 8 == 0) each[random() % 3] = 0xffff;
    }
    TexturePlan plan(kernel, {points});
    plan.texture(0, shape, texels);
    plan.buffer(0, at);
    plan.result(plan.buffer(1, std::vector<std::array<float, 4>>(points)));
    const auto outputs = kernels_.run(plan.take());
    ASSERT_EQ(outputs.size(), 1U);
    const auto got = outputs[0].as<std::array<float, 4>>();
    const bool is_line =
        shape.kind == Kind::d1 || shape.kind == Kind::d1_array || shape.kind == Kind::buffer;
    for (unsigned i = 0; i < points; ++i) {
      const bool is_flat = shape.kind == Kind::d2 || shape.kind == Kind::d1 ||
                           shape.kind == Kind::d3 || shape.kind == Kind::d2_ms ||
                           shape.kind == Kind::buffer;
      auto answer =
          reference_read(texture, {at[i][0], at[i][1], at[i][2]}, is_flat ? 0 : at[i][2],
                         is_multisampled ? at[i][3] : 0, is_line || is_multisampled ? 0 : at[i][3]);
      if (kernel.starts_with("read_depth")) answer = {answer[0], answer[0], answer[0], answer[0]};
      for (unsigned c = 0; c < 4; ++c)
        ASSERT_EQ(got[i][c], static_cast<float>(answer[c]))
            << kernel << " of " << layout_of(shape.format).name << " at " << at[i][0] << " "
            << at[i][1] << " " << at[i][2] << " " << at[i][3] << ", component " << c;
    }
  }

  // Writes random values into a texture of each format; they come back rounded to the format.
  template <typename T>
  void check_write(const std::string& kernel, const std::vector<Format>& formats,
                   const std::vector<std::array<T, 4>>& values) {
    const TextureShape given{.width = static_cast<std::uint32_t>(values.size() / 4), .height = 4};
    for (const auto format : formats) {
      SCOPED_TRACE(layout_of(format).name);
      auto shape = given;
      shape.format = format;
      TexturePlan plan(kernel, {shape.width, shape.height + 2});  // two rows are dropped
      std::vector<std::array<T, 4>> more(values);
      more.resize(values.size() + std::size_t{2} * shape.width);
      plan.buffer(0, more);
      plan.result(plan.texture(0, shape, std::vector<std::byte>(encoded_bytes(shape))));
      const auto outputs = kernels_.run(plan.take());
      ASSERT_EQ(outputs.size(), 1U);
      std::vector<std::byte> expected;
      for (const auto& value : values) {
        Texel texel{};
        for (unsigned c = 0; c < 4; ++c) texel[c] = std::bit_cast<std::uint32_t>(value[c]);
        std::vector<std::byte> bits(layout_of(format).bytes);
        encode(format, texel, bits);
        expected.insert(expected.end(), bits.begin(), bits.end());
      }
      const auto memory = texture_memory(shape, expected);
      ASSERT_TRUE(memory);
      const Bytes wanted{*memory};
      const auto words = outputs[0].template as<std::uint32_t>();
      const auto answers = wanted.template as<std::uint32_t>();
      for (std::size_t i = 0; i < words.size(); ++i) {
        const bool both_nan = !is_integer(format) && std::isnan(std::bit_cast<float>(words[i])) &&
                              std::isnan(std::bit_cast<float>(answers[i]));
        ASSERT_TRUE(words[i] == answers[i] || both_nan)
            << "texel " << (i - 32) / 4 << " component " << i % 4 << ": " << std::hex << words[i]
            << " instead of " << answers[i];
      }
    }
  }

  TextureKernels& kernels_ = TextureKernels::of(GetParam(), "read.metal");
};

TEST_P(Reading, texels_of_each_kind) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const TextureShape flat{.width = 9, .height = 6, .mip_levels = 3};
  const auto with = [](TextureShape shape, Format format) {
    shape.format = format;
    return shape;
  };
  check_read("read_1d", {.kind = Kind::d1, .width = 50}, random);
  check_read("read_1d_array", {.kind = Kind::d1_array, .width = 9, .array_length = 5}, random);
  check_read("read_2d_half", with(flat, Format::rgba16float), random);
  for (const auto format : {Format::r8sint, Format::rgba16sint, Format::rgba32sint})
    check_read("read_2d_int", with(flat, format), random);
  for (const auto format : {Format::r8uint, Format::rgb10a2uint, Format::rg32uint})
    check_read("read_2d_uint", with(flat, format), random);
  check_read("read_2d_short", with(flat, Format::rgba16sint), random);
  check_read("read_2d_ushort", with(flat, Format::rgba16uint), random);
  check_read("read_2d_array",
             {.kind = Kind::d2_array, .width = 5, .height = 4, .array_length = 7, .mip_levels = 2},
             random);
  check_read("read_3d", {.kind = Kind::d3, .width = 5, .height = 4, .depth = 12, .mip_levels = 4},
             random);
  check_read("read_cube", {.kind = Kind::cube, .width = 4, .height = 4, .mip_levels = 2}, random);
  check_read("read_cube_array",
             {.kind = Kind::cube_array, .width = 4, .height = 4, .array_length = 2}, random);
  check_read("read_buffer", {.kind = Kind::buffer, .width = 1000}, random);
  check_read("read_ms", {.kind = Kind::d2_ms, .width = 5, .height = 4, .samples = 2}, random);
  check_read("read_ms_array",
             {.kind = Kind::d2_ms_array, .width = 5, .height = 4, .array_length = 3, .samples = 4},
             random);
  check_read("read_depth", with(flat, Format::depth16unorm), random);
  check_read("read_depth_cube",
             {.kind = Kind::cube, .format = Format::depth32float, .width = 4, .height = 4}, random);
}

TEST_P(Reading, faces_and_cubes_outside_are_zeros) {
  const TextureShape shape{.kind = Kind::cube_array,
                           .format = Format::r32float,
                           .width = 1,
                           .height = 1,
                           .array_length = 2};
  const std::vector<float> ones(12, 1);
  // Six times the last number is 2 in 32 bits.
  const std::vector<std::array<std::uint32_t, 4>> at = {{5, 1}, {6, 0},   {7, 1},
                                                        {0, 2}, {~0U, 1}, {0, 715827883}};
  TexturePlan plan("read_faces", {static_cast<unsigned>(at.size())});
  plan.texture(0, shape, std::as_bytes(std::span(ones)));
  plan.buffer(0, at);
  plan.result(plan.buffer(1, std::vector<std::array<float, 4>>(at.size())));
  const auto outputs = kernels_.run(plan.take());
  ASSERT_EQ(outputs.size(), 1U);
  std::vector<float> red;
  for (const auto& texel : outputs[0].as<std::array<float, 4>>()) red.push_back(texel[0]);
  EXPECT_EQ(red, (std::vector<float>{1, 0, 0, 0, 0, 0}));
}

TEST_P(Reading, texels_of_each_format) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const auto format : all_formats())
    if (!is_integer(format))
      check_read("read_2d", {.format = format, .width = 9, .height = 6, .mip_levels = 2}, random);
}

TEST_P(Reading, writes_round_to_the_format) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::vector<std::array<float, 4>> values;
  for (unsigned i = 0; i < 1024; ++i) {
    auto& value = values.emplace_back();
    for (auto& each : value) switch (random() % 8) {
        case 0:  // between two steps of eight bits
          each = (static_cast<float>(random() % 255) + 0.5F) / 255;
          break;
        case 1:
          each = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
          break;
        case 2:
          each = std::ldexp(std::uniform_real_distribution<float>(-2, 2)(random),
                            static_cast<int>(random() % 36) - 20);
          break;
        default:
          each = std::uniform_real_distribution<float>(-1.2F, 1.2F)(random);
      }
  }
  // The steps of 16 bits, which divisions would have to round right.
  for (unsigned i = 0; i < 1024; ++i) {
    const auto step = [&] { return static_cast<float>(random() % 65536) / 65535; };
    values.push_back({step(), -step(), step(), step()});
  }
  std::vector<Format> formats;
  for (const auto format : all_formats())
    if (!is_integer(format) && !is_depth(format)) formats.push_back(format);
  check_write("write_float", formats, values);
}

TEST_P(Reading, integers_saturate) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::vector<std::array<std::uint32_t, 4>> values(256);
  for (auto& value : values)
    for (auto& each : value) each = static_cast<std::uint32_t>(random()) >> random() % 32;
  std::vector<std::array<std::int32_t, 4>> with_sign(256);
  for (auto& value : with_sign)
    for (auto& each : value) each = static_cast<std::int32_t>(random()) >> random() % 32;
  std::vector<Format> whole, signed_formats;
  for (const auto format : all_formats()) {
    if (layout_of(format).encoding == TexelEncoding::uint) whole.push_back(format);
    if (layout_of(format).encoding == TexelEncoding::sint) signed_formats.push_back(format);
  }
  check_write("write_uint", whole, values);
  check_write("write_int", signed_formats, with_sign);
}

TEST_P(Reading, sizes_of_levels) {
  const TextureShape layered{
      .kind = Kind::d2_array, .width = 20, .height = 9, .array_length = 3, .mip_levels = 2};
  const TextureShape deep{.kind = Kind::d3, .width = 8, .height = 4, .depth = 6, .mip_levels = 3};
  TexturePlan plan("sizes", {1});
  plan.texture(0, layered, std::vector<std::byte>(encoded_bytes(layered)));
  plan.texture(1, deep, std::vector<std::byte>(encoded_bytes(deep)));
  plan.result(plan.buffer(0, std::vector<std::uint32_t>(7)));
  const auto outputs = kernels_.run(plan.take());
  ASSERT_EQ(outputs.size(), 1U);
  const auto got = outputs[0].as<std::uint32_t>();
  EXPECT_EQ(std::vector(got.begin(), got.end()),
            (std::vector<std::uint32_t>{20, 4, 3, 2, 6, 1, 1}));
}

TEST_P(Reading, writes_reach_each_kind) {
  const TextureShape layered{.kind = Kind::d2_array,
                             .format = Format::rgba16float,
                             .width = 8,
                             .height = 8,
                             .array_length = 2,
                             .mip_levels = 2};
  const TextureShape deep{.kind = Kind::d3, .width = 4, .height = 4, .depth = 2};
  const TextureShape flat{.width = 4, .height = 4};
  const TextureShape line{.kind = Kind::buffer, .format = Format::r8unorm, .width = 3};
  TexturePlan plan("write_everywhere", {4, 4, 2});
  const auto zeros = [](const TextureShape& shape) {
    return std::vector<std::byte>(encoded_bytes(shape));
  };
  plan.result(plan.texture(0, layered, zeros(layered)));
  plan.result(plan.texture(1, deep, zeros(deep)));
  plan.texture(2, flat, zeros(flat));
  plan.result(plan.texture(3, flat, zeros(flat)));
  plan.result(plan.texture(4, line, zeros(line)));
  const auto outputs = kernels_.run(plan.take());
  ASSERT_EQ(outputs.size(), 4U);
  const auto texel = [&](std::size_t output, std::size_t number) {
    const auto words = outputs[output].as<float>();
    return Color{words[32 + 4 * number], words[33 + 4 * number], words[34 + 4 * number],
                 words[35 + 4 * number]};
  };
  for (unsigned z = 0; z < 2; ++z)
    for (unsigned y = 0; y < 4; ++y)
      for (unsigned x = 0; x < 4; ++x) {
        const Color value{double(x), double(y), double(z), 1};
        EXPECT_EQ(texel(0, 128 + (z * 4 + y) * 4 + x), value);
        EXPECT_EQ(texel(1, (z * 4 + y) * 4 + x), value);
      }
  EXPECT_EQ(texel(2, 3 * 4 + 2)[0], 6);  // written at (2, 3) by the thread at (3, 2)
  EXPECT_EQ(texel(3, 1), (Color{1, 0, 0, 1}));
}

TEST_P(Reading, atomic_operations) {
  const TextureShape counts{.format = Format::r32uint, .width = 8};
  const TextureShape least{.format = Format::r32sint, .width = 2};
  const TextureShape marks{.kind = Kind::buffer, .format = Format::r32uint, .width = 10};
  TexturePlan plan("count", {100});
  const auto zeros = [](const TextureShape& shape) {
    return std::vector<std::byte>(encoded_bytes(shape));
  };
  plan.result(plan.texture(0, counts, zeros(counts)));
  plan.result(plan.texture(1, least, zeros(least)));
  plan.result(plan.texture(2, marks, zeros(marks)));
  plan.result(plan.buffer(0, std::vector<std::uint32_t>(100)));
  const auto outputs = kernels_.run(plan.take());
  ASSERT_EQ(outputs.size(), 4U);
  const auto texel = [&](std::size_t output, std::size_t number) {
    return outputs[output].as<std::uint32_t>()[32 + 4 * number];
  };
  for (unsigned i = 0; i < 7; ++i) {
    unsigned sum = 0;
    for (unsigned j = i; j < 100; j += 7) sum += j;
    EXPECT_EQ(texel(0, i), sum);
  }
  EXPECT_EQ(texel(0, 7), 100U);
  EXPECT_EQ(static_cast<std::int32_t>(texel(1, 0)), -94);
  EXPECT_EQ(texel(1, 1), 94U);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(texel(2, i), ~0U);
  EXPECT_EQ(texel(2, 3), 15U);
  EXPECT_EQ(texel(2, 9), 200U);
  EXPECT_EQ(texel(2, 8), 9U);
  EXPECT_EQ(texel(2, 7), 16U);
  auto old = outputs[3].as<std::uint32_t>();
  std::vector<std::uint32_t> sorted(old.begin(), old.end());
  std::ranges::sort(sorted);
  for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(sorted[i], i);
}

TEST_P(Reading, of_arguments_without_an_index) {
  TexturePlan plan("unnumbered", {1});
  const TextureShape one{.format = Format::r32float};
  for (unsigned i = 0; i < 5; ++i) {
    const std::array value = {static_cast<float>(i + 1)};
    plan.texture(i, one, std::as_bytes(std::span(value)));
  }
  using A = SamplerDescription::Address;
  plan.sampler(
      0, {.s_address = A::clamp_to_border, .border = SamplerDescription::Border::opaque_white});
  plan.sampler(1, {.s_address = A::clamp_to_zero});
  plan.sampler(2, {.s_address = A::repeat});
  plan.result(plan.buffer(0, std::vector<float>(8)));
  const auto outputs = kernels_.run(plan.take());
  ASSERT_EQ(outputs.size(), 1U);
  const auto got = outputs[0].as<float>();
  // a has index 0, c the index 1 that it names, b the next two that are free in a row, and d the
  // last.
  EXPECT_EQ(std::vector(got.begin(), got.end()), (std::vector<float>{1, 3, 4, 2, 5, 1, 0, 1}));
}

TEST_P(Reading, atomic_operations_of_64_bits) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> values(200);
  for (auto& value : values) value = random() >> random() % 16;
  const TextureShape shape{.format = Format::rg32uint, .width = 4};
  const std::array<std::uint64_t, 4> first = {~0ULL, 0, 7, 1ULL << 40};
  TexturePlan plan("keep_least_and_greatest", {200});
  plan.result(plan.texture(0, shape, std::as_bytes(std::span(first))));
  plan.buffer(0, values);
  const auto kept = kernels_.run(plan.take());
  ASSERT_EQ(kept.size(), 1U);
  const auto texels = encoded_texels(shape, kept[0]);
  ASSERT_TRUE(texels) << texels.error().message;
  TexturePlan reading("read_wide", {5});
  reading.texture(0, shape, *texels);
  reading.result(reading.buffer(0, std::vector<std::uint64_t>(5, 1)));
  const auto read = kernels_.run(reading.take());
  ASSERT_EQ(read.size(), 1U);
  const auto got = read[0].as<std::uint64_t>();
  EXPECT_EQ(std::vector(got.begin(), got.end()),
            (std::vector<std::uint64_t>{*std::ranges::min_element(values),
                                        *std::ranges::max_element(values), 7, 1ULL << 40, 0}));
}

INSTANTIATE_TEST_SUITE_P(Devices, Reading, testing::Values("opencl", "cpu"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace msci
