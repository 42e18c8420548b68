#include "evaluator/measure/speedup.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

TEST(Ratio, is_said_with_its_interval_and_no_more_digits_than_it_deserves) {
  EXPECT_EQ(with_interval({3.0204, ConfidenceInterval{2.968, 3.0611}}, "times as fast"),
            "3.02 times as fast (99 %: 2.97 to 3.06)");
  EXPECT_EQ(with_interval({1, ConfidenceInterval{0.5, 2}}), "1.00 (99 %: 0.50 to 2.00)");
  EXPECT_EQ(with_interval({0.00123, {0.001, 0.002}}), "0.0012 (99 %: 0.001 to 0.002)");
  EXPECT_EQ(with_interval(same_program_ratio, "times as fast"),
            "1 times as fast (the same program)");
}

TEST(Ratio, is_doubted_unless_its_interval_lies_above_one) {
  EXPECT_EQ(doubt_about({1.22, ConfidenceInterval{0.74, 1.4}}), ", not shown to be faster");
  EXPECT_EQ(doubt_about({1, ConfidenceInterval{0.9, 1}}), ", not shown to be faster");
  EXPECT_EQ(doubt_about({0.65, ConfidenceInterval{0.53, 0.93}}), ", slower");
  EXPECT_EQ(doubt_about({1.22, ConfidenceInterval{1.01, 1.4}}), "");
  EXPECT_EQ(doubt_about(same_program_ratio), "") << "it says so itself";
}

}  // namespace
}  // namespace msci
