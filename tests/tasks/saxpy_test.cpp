#include <gtest/gtest.h>

#include "check.h"

namespace msci {
namespace {

struct Known {
  std::string_view label;
  std::string_view x;  // CRC-32
  std::string_view y;
  float first_y;
  double largest;
  double tolerance;
};

const Known known[] = {{"1M", "b0d862bf", "960b2a01", 0.54152942F, 12.562063, 1.25621e-4},
                       {"16M", "8e863c30", "05159be7", -0.626297F, 14.469835, 1.44698e-4},
                       {"64M", "c80ae074", "a1d19881", -0.33291033F, 15.579597, 1.55796e-4},
                       {"4M", "2059f839", "d3ecc092", -1.4681808F, 13.631998, 1.36320e-4}};

class Saxpy : public testing::TestWithParam<Known> {};

TEST_P(Saxpy, HasTheKnownInputsAndTolerance) {
  const Task& task = the_task("saxpy");
  const Known& expected = GetParam();
  const Size size = the_size(task, expected.label);
  {
    const Plan plan = plan_of(task, size);
    EXPECT_EQ(crc32_of(start_of(plan, "x")), expected.x);
    EXPECT_EQ(crc32_of(start_of(plan, "y")), expected.y);
    EXPECT_FLOAT_EQ(float_at(start_of(plan, "x"), 1), -1.0573066F);
    EXPECT_FLOAT_EQ(float_at(start_of(plan, "y"), 0), expected.first_y);
    EXPECT_FALSE(plan.buffers[0].reset);
    EXPECT_TRUE(plan.buffers[1].reset);
  }
  const Bytes reference = task.reference(size);
  EXPECT_FLOAT_EQ(reference.as<float>()[0], 2.5F * 0.39454383F + expected.first_y);
  const Verdict verdict = *task.judge(size, reference, {reference}, {});
  EXPECT_TRUE(verdict.correct);
  EXPECT_EQ(verdict.error_value, 0);
  EXPECT_NEAR(*verdict.tolerance, expected.tolerance, 1e-9);
  EXPECT_NEAR(*verdict.tolerance, 1e-5 * expected.largest, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Saxpy, testing::ValuesIn(known),
                         [](const auto& info) { return test_name("saxpy", info.param.label); });

}  // namespace
}  // namespace msci
