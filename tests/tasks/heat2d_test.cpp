#include <gtest/gtest.h>

#include "check.h"

namespace msci {
namespace {

struct Known {
  std::string_view start;  // CRC-32
  double start_sum;
  std::string_view result;  // CRC-32
  double result_sum;
  float centre;
  double tolerance;
};

// In the order of all_sizes.
const Known known[] = {
    {"4f0669ff", 32372.32521, "76838911", 30837.25822, 0.52685404F, 1.057820e-4},
    {"b57f6ef6", 130327.3788, "aaea82df", 125757.0844, 0.51015997F, 1.055156e-4},
    {"797d2213", 522346.9570, "f5927d0c", 516054.9705, 0.46370789F, 1.057380e-4},
    {"105152f2", 293537.8208, "a72333f7", 287612.9641, 0.49278897F, 1.055524e-4}};

class Heat2d : public testing::TestWithParam<int> {};

TEST_P(Heat2d, HasTheKnownInputAndResult) {
  const Task& task = the_task("heat2d");
  const Size size = all_sizes(task)[GetParam()];
  const Known& expected = known[GetParam()];
  const Plan plan = plan_of(task, size);
  EXPECT_EQ(crc32_of(start_of(plan, "A")), expected.start);
  EXPECT_NEAR(sum_of(start_of(plan, "A")), expected.start_sum, 1e-4);

  const Bytes reference = task.reference(size);
  EXPECT_EQ(crc32_of(reference.data), expected.result);
  EXPECT_NEAR(sum_of(reference.data), expected.result_sum, 1e-4);
  EXPECT_FLOAT_EQ(reference.as<float>()[size["ny"] / 2 * size["nx"] + size["nx"] / 2],
                  expected.centre);
  const Verdict verdict = task.judge(size, reference, {reference}, {});
  EXPECT_TRUE(verdict.correct);
  EXPECT_EQ(verdict.error_kind, "max_abs");
  EXPECT_NEAR(*verdict.tolerance, expected.tolerance, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Heat2d, testing::Range(0, 4));

}  // namespace
}  // namespace msci
