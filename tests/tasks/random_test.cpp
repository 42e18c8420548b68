#include <gtest/gtest.h>

#include "tasks/launch.h"

namespace msci {
namespace {

TEST(Random, SeedsLikeNumPy) {
  EXPECT_EQ(seed_words(0xBEEF),
            (std::array<std::uint32_t, 8>{0xFDEAABA3, 0x329F7693, 0x0D3FA592, 0x572E1767,
                                          0x5B79BA10, 0x6D70F0EC, 0x68441609, 0x1DAB8B02}));
}

TEST(Random, DrawsLikeNumPy) {
  const std::pair<std::uint32_t, std::uint64_t> first_draws[] = {
      {0xBEEF, 0x5CDB5A824B383A06},    {0xC0DE, 0x4A0E29DFDE89AEAC},
      {0xCAFE, 0xE51CCEB2F7E9672B},    {0xC0FFEE, 0xF0B52A9E7D8BA2B5},
      {0xBADC0DE, 0x8C1244612A69FFE2}, {0xF17F, 0x26C5CB5ED285D645}};
  for (const auto& [seed, draw] : first_draws) EXPECT_EQ(Random(seed).draw64(), draw) << seed;
  Random random(0xBEEF);
  random.draw64();
  EXPECT_EQ(random.draw64(), 0xBA04CC3ADC226B5D);
}

TEST(Random, KeepsTheHighHalfForTheNext32BitDraw) {
  Random random(0xBEEF);
  EXPECT_EQ(random.draw32(), 0x4B383A06U);
  EXPECT_EQ(random.draw64(), 0xBA04CC3ADC226B5D);
  EXPECT_EQ(random.draw32(), 0x5CDB5A82U);
}

TEST(Random, DrawsNormalValuesLikeNumPy) {
  Random random(0xBEEF);
  EXPECT_FLOAT_EQ(static_cast<float>(random.normal()), 0.39454383F);
  EXPECT_FLOAT_EQ(static_cast<float>(random.normal()), -1.0573066F);
  EXPECT_FLOAT_EQ(static_cast<float>(random.normal()), 0.5111131F);
  EXPECT_FLOAT_EQ(Random(0xF17F).normal_float(), 0.93165326F);
}

}  // namespace
}  // namespace msci
