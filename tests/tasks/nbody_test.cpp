#include <gtest/gtest.h>

#include "check.h"
#include "tasks/launch.h"

namespace msci {
namespace {

struct Known {
  std::string_view label;
  std::string_view start;  // CRC-32 of the positions, N x 3
  float first_mass;
  float first_result[3];
  double largest_displacement;
  double tolerance;
};

const Known known[] = {
    {"256_10", "cec60ebe", 1.3735616F, {0.784368F, -0.118015F, 0.232490F}, 0.015849, 1.99465e-3},
    {"1024_10", "afe60ca4", 1.2492882F, {0.767198F, -0.117845F, 0.225609F}, 0.041836, 1.97847e-3},
    {"2048_10", "aad8a4db", 1.0585932F, {0.735172F, -0.109225F, 0.225088F}, 0.079597, 1.96185e-3},
    {"512_10", "5f18cb91", 0.54437101F, {0.777067F, -0.118186F, 0.233791F}, 0.025551, 1.99057e-3}};

class Nbody : public testing::TestWithParam<Known> {};

TEST_P(Nbody, HasTheKnownInputAndResult) {
  const Task& task = the_task("nbody");
  const Known& expected = GetParam();
  const Size size = the_size(task, expected.label);
  const Plan plan = plan_of(task, size);
  const auto start = unpack(Bytes{start_of(plan, "posA")}.as<Float4>());
  EXPECT_EQ(crc32_of(bytes_of(start)), expected.start);
  EXPECT_FLOAT_EQ(start[0], 0.78994161F);
  EXPECT_FLOAT_EQ(float_at(start_of(plan, "mass"), 0), expected.first_mass);

  const Bytes reference = task.reference(size);
  const auto result = reference.as<float>();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(result[i], expected.first_result[i], 1e-6);
  float largest = 0;
  for (std::size_t i = 0; i < result.size(); ++i)
    largest = std::max(largest, std::abs(result[i] - start[i]));
  EXPECT_NEAR(largest, expected.largest_displacement, 1e-6);

  const Bytes output{pack(result).take_bytes()};
  const Verdict verdict = *task.judge(size, reference, {output}, {});
  EXPECT_TRUE(verdict.correct);
  EXPECT_EQ(verdict.error_value, 0);
  EXPECT_EQ(verdict.error_kind, "max_abs_pos");
  EXPECT_NEAR(*verdict.tolerance, expected.tolerance, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Nbody, testing::ValuesIn(known),
                         [](const auto& info) { return test_name("nbody", info.param.label); });

}  // namespace
}  // namespace msci
