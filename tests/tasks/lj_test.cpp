#include <gtest/gtest.h>

#include <cmath>

#include "check.h"
#include "tasks/launch.h"

namespace msci {
namespace {

struct Known {
  std::string_view label;
  double pairs;  // unordered, within the cutoff at the start
  double work;
  float start[3];   // the first particle's position
  float result[3];  // the same after all steps
  double largest_displacement;
  std::string_view positions;   // CRC-32, N x 3
  std::string_view velocities;  // likewise
};

const Known known[] = {{"N1728_M5_steps20",
                        29051,
                        23240800,
                        {0.045421645F, 13.792976F, 0.013737816F},
                        {0.033186682F, 13.789545F, -0.021269370F},
                        0.0677,
                        "2c889b49",
                        "74c8d2e0"},
                       {"N4096_M7_steps15",
                        68859,
                        41315400,
                        {0.045421645F, 18.392975F, 0.013737816F},
                        {0.031468641F, 18.392438F, 0.018639836F},
                        0.0502,
                        "6a93dfbb",
                        "ce096087"},
                       {"N10648_M10_steps10",
                        178608,
                        71443200,
                        {0.045421645F, 25.292974F, 0.013737816F},
                        {0.033473495F, 25.281273F, 0.0013282489F},
                        0.0292,
                        "c00e0bdc",
                        "11a53bf1"},
                       {"N2744_M6_steps12",
                        46093,
                        22124640,
                        {0.045421645F, 16.092976F, 0.013737816F},
                        {0.041950852F, 16.081450F, 0.012641425F},
                        0.0347,
                        "41bf684d",
                        "30999058"}};

// A buffer of float4 as x, y, z, x, y, z ...
std::vector<float> xyz(const Bytes& points) { return unpack(points.as<Float4>()); }

// Counters that all say `count`.
std::vector<unsigned> counts_of(const Size& size, unsigned count) {
  return std::vector<unsigned>(size["M"] * size["M"] * size["M"], count);
}
Bytes counters(const Size& size, unsigned count) {
  return Bytes::of<unsigned>(counts_of(size, count));
}

class Lj : public testing::TestWithParam<Known> {};

TEST_P(Lj, HasTheKnownStartAndResult) {
  const Known& expected = GetParam();
  const Task& task = the_task("lj");
  const Size size = the_size(task, expected.label);
  const Plan plan = plan_of(task, size);
  const auto start = xyz(start_of(plan, "posA"));
  EXPECT_EQ(crc32_of(bytes_of(start)), expected.positions);
  EXPECT_EQ(crc32_of(bytes_of(xyz(start_of(plan, "velA")))), expected.velocities);
  EXPECT_EQ(task.work(size), expected.work);
  EXPECT_EQ(task.work(size), 2 * expected.pairs * 20 * size["n_steps"]);

  const Bytes reference = task.reference(size);
  const auto result = reference.as<float>();
  double largest = 0;
  for (std::size_t i = 0; i < result.size(); ++i)
    largest = std::max<double>(largest, std::abs(result[i] - start[i]));
  EXPECT_NEAR(largest, expected.largest_displacement, 1e-4);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_FLOAT_EQ(start[axis], expected.start[axis]);
    EXPECT_NEAR(result[axis], expected.result[axis], 2e-6);
  }

  const Bytes output{pack(result).take_bytes()};
  const Verdict verdict =
      *task.judge(size, reference, {output, counters(size, 64)}, {output, counters(size, 64)});
  EXPECT_TRUE(verdict.correct);
  EXPECT_EQ(verdict.error_value, 0);
  EXPECT_EQ(verdict.error_kind, "max_abs_pos");
  EXPECT_EQ(verdict.tolerance, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Lj, testing::ValuesIn(known),
                         [](const auto& info) { return test_name("lj", info.param.label); });

TEST(LjTask, LooksForOverflowInWhatTheTimedPassLeft) {
  const Task& task = the_task("lj");
  const Size& size = task.sizes[0];
  const Bytes reference = task.reference(size);
  const Bytes output{pack(reference.as<float>()).take_bytes()};
  auto numbers = counts_of(size, 0);
  numbers[77] = 65;
  const auto counts = Bytes::of<unsigned>(numbers);

  const Verdict overflown =
      *task.judge(size, reference, {output, counters(size, 0)}, {output, counts});
  EXPECT_FALSE(overflown.correct);
  EXPECT_EQ(overflown.error_kind, "cell_overflow");
  EXPECT_EQ(overflown.error_value, 65);
  EXPECT_FALSE(overflown.tolerance);
  EXPECT_TRUE(task.judge(size, reference, {output, counts}, {output, counters(size, 0)})->correct);
}

}  // namespace
}  // namespace msci
