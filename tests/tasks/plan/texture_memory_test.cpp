// The memory of textures and the words of samplers.
#include "tasks/plan/texture/texture_memory.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

#include "tasks/plan/texture/sampler_bits.h"

namespace msci {
namespace {

std::uint32_t word(const std::vector<std::byte>& memory, std::size_t number) {
  std::uint32_t value = 0;
  std::memcpy(&value, memory.data() + 4 * number, sizeof value);
  return value;
}

TEST(TextureMemory, HasAHeaderAndDecodedTexels) {
  const TextureShape shape{
      .format = TexelFormat::rg8uint, .width = 3, .height = 2, .mip_levels = 2};
  std::vector<std::byte> encoded(encoded_bytes(shape));
  ASSERT_EQ(encoded.size(), (6 + 1) * 2U);
  for (std::size_t i = 0; i < encoded.size(); ++i) encoded[i] = static_cast<std::byte>(i + 1);
  const auto memory = texture_memory(shape, encoded);
  ASSERT_TRUE(memory) << memory.error().message;
  ASSERT_EQ(memory->size(), 128 + 7 * 16U);
  EXPECT_EQ(word(*memory, TextureHeader::magic), TextureHeader::magic_value);
  EXPECT_EQ(word(*memory, TextureHeader::width), 3U);
  EXPECT_EQ(word(*memory, TextureHeader::height), 2U);
  EXPECT_EQ(word(*memory, TextureHeader::mip_levels), 2U);
  EXPECT_EQ(word(*memory, TextureHeader::component_bits), 0x0808U);
  EXPECT_EQ(word(*memory, TextureHeader::first_texel), 0U);
  EXPECT_EQ(word(*memory, TextureHeader::first_texel + 1), 6U);
  const std::size_t last = 32 + 4 * 6;
  EXPECT_EQ(word(*memory, last), 13U);
  EXPECT_EQ(word(*memory, last + 1), 14U);
  EXPECT_EQ(word(*memory, last + 3), 1U);
  EXPECT_EQ(*encoded_texels(shape, *memory), encoded);
}

TEST(TextureMemory, TextureOfEachKindComesBack) {
  const std::vector<TextureShape> shapes = {
      {.kind = TextureKind::d1, .format = TexelFormat::r8unorm, .width = 17},
      {.kind = TextureKind::d1_array, .width = 5, .array_length = 3},
      {.kind = TextureKind::d2,
       .format = TexelFormat::rgba8unorm_srgb,
       .width = 8,
       .height = 4,
       .mip_levels = 4},
      {.kind = TextureKind::d2_array, .width = 3, .height = 5, .array_length = 4, .mip_levels = 3},
      {.kind = TextureKind::d2_ms, .width = 3, .height = 2, .samples = 4},
      {.kind = TextureKind::d2_ms_array, .width = 3, .height = 2, .array_length = 2, .samples = 2},
      {.kind = TextureKind::d3, .width = 4, .height = 3, .depth = 9, .mip_levels = 4},
      {.kind = TextureKind::cube, .width = 4, .height = 4, .mip_levels = 3},
      {.kind = TextureKind::cube_array, .width = 2, .height = 2, .array_length = 2},
      {.kind = TextureKind::buffer, .width = 100'000},
      {.format = TexelFormat::depth32float, .width = 4, .height = 4}};
  const auto seed = std::random_device{}();
  RecordProperty("seed", std::to_string(seed));
  std::mt19937 random(seed);
  for (const auto& shape : shapes) {
    std::vector<std::byte> encoded(encoded_bytes(shape));
    for (auto& each : encoded) each = static_cast<std::byte>(random());
    const auto memory = texture_memory(shape, encoded);
    ASSERT_TRUE(memory) << memory.error().message;
    EXPECT_EQ(memory->size(), texture_bytes(shape));
    EXPECT_EQ(*encoded_texels(shape, *memory), encoded)
        << to_string(shape.kind) << ", seed " << seed;
    EXPECT_EQ(texture_kind_from(to_string(shape.kind)), shape.kind);
  }
}

TEST(TextureMemory, SrgbTablesFollowTheTexels) {
  const TextureShape shape{.format = TexelFormat::r8unorm_srgb, .width = 2};
  const auto memory = texture_memory(shape, std::vector<std::byte>(2));
  ASSERT_TRUE(memory);
  const auto first = 32 + 4 * word(*memory, TextureHeader::srgb_tables);
  EXPECT_EQ(word(*memory, first + 255), std::bit_cast<std::uint32_t>(1.0F));
  EXPECT_EQ(word(*memory, first + 256), 0U);
  EXPECT_EQ(first + 512, memory->size() / 4);
}

TEST(TextureMemory, RefusesShapesThatMetalLacks) {
  const auto refusal = [](TextureShape shape) {
    const auto error = refuse_shape(shape);
    return error ? error->message : "";
  };
  EXPECT_EQ(refusal({.width = 0}), "the width is 0; a texture of this kind allows 1 to 16384");
  EXPECT_EQ(refusal({.width = 16385}),
            "the width is 16385; a texture of this kind allows 1 to 16384");
  EXPECT_EQ(refusal({.kind = TextureKind::d1, .width = 4, .height = 2}),
            "the height is 2; a texture of this kind allows 1 to 1");
  EXPECT_EQ(refusal({.width = 4, .height = 4, .mip_levels = 4}),
            "the number of mip levels is 4; a texture of this kind allows 1 to 3");
  EXPECT_EQ(refusal({.kind = TextureKind::cube, .width = 4, .height = 2}),
            "a cube is as wide as it is high, not 4 x 2");
  EXPECT_EQ(refusal({.kind = TextureKind::d2_ms, .samples = 3}),
            "the number of samples is 3; it may be 2, 4 or 8");
  EXPECT_EQ(refusal({.depth = 2}), "the depth is 2; a texture of this kind allows 1 to 1");
  EXPECT_EQ(refusal({.array_length = 2}),
            "the array length is 2; a texture of this kind allows 1 to 1");
  EXPECT_EQ(
      refusal(
          {.kind = TextureKind::d2_array, .width = 16384, .height = 16384, .array_length = 2048}),
      "the texture has 549755813888 texels; at most 4294967295 are possible");
}

TEST(TextureMemory, RefusesOtherMemory) {
  const TextureShape shape{.format = TexelFormat::r32float, .width = 2};
  EXPECT_EQ(texture_memory(shape, std::vector<std::byte>(4)).error().message,
            "the texture's texels have 4 bytes; its shape needs 8");
  EXPECT_EQ(encoded_texels(shape, std::vector<std::byte>(4)).error().message,
            "the texture's memory has 4 bytes; its shape needs 160");
  EXPECT_EQ(encoded_texels(shape, std::vector<std::byte>(160)).error().message,
            "the texture's header is damaged: something wrote into the texture's memory");
}

TEST(TextureMemory, EachWordOfTheHeaderMustStay) {
  const TextureShape shape{.format = TexelFormat::rgba8unorm_srgb, .width = 2};
  const auto memory = *texture_memory(shape, std::vector<std::byte>(8));
  EXPECT_TRUE(encoded_texels(shape, memory));
  for (std::size_t at = 0; at < TextureHeader::bytes; ++at) {
    auto damaged = memory;
    damaged[at] ^= std::byte{1};
    EXPECT_FALSE(encoded_texels(shape, damaged)) << at;
  }
}

TEST(SamplerBits, PacksEachPart) {
  using S = SamplerDescription;
  const std::uint64_t most_lod = 4095;
  EXPECT_EQ(sampler_bits({}), most_lod << 40);
  EXPECT_EQ(sampler_bits({.coord = S::Coord::pixel, .most_lod = 0}), 1U);
  EXPECT_EQ(sampler_bits({.s_address = S::Address::mirrored_repeat,
                          .t_address = S::Address::repeat,
                          .r_address = S::Address::clamp_to_border,
                          .most_lod = 0}),
            4U << 1 | 3U << 4 | 2U << 7);
  EXPECT_EQ(sampler_bits({.mag_filter = S::Filter::linear,
                          .mip_filter = S::MipFilter::linear,
                          .compare = S::Compare::always,
                          .border = S::Border::opaque_white,
                          .most_lod = 0}),
            1U << 10 | 2U << 14 | 8U << 16 | 2U << 20);
  EXPECT_EQ(sampler_bits({.max_anisotropy = 16, .least_lod = 0.5F, .most_lod = 2, .bias = -1}),
            std::uint64_t{15} << 24 | std::uint64_t{128} << 28 | std::uint64_t{512} << 40 |
                std::uint64_t{4096 - 64} << 52);
}

}  // namespace
}  // namespace msci
