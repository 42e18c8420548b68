#include "evaluator/measure/speedup.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

TEST(Ratio, is_said_with_its_interval_and_no_more_digits_than_it_deserves) {
  EXPECT_EQ(with_interval({3.0204, ConfidenceInterval{2.968, 3.0611}}, "times as fast"),
            "3.02 times as fast (99 %: 2.97 to 3.06)");
  EXPECT_EQ(with_interval({1, ConfidenceInterval{0.5, 2}}), "1.00 (99 %: 0.50 to 2.00)");
  EXPECT_EQ(with_interval({1.1, std::nullopt}), "1.10");
  EXPECT_EQ(with_interval({0.00123, std::nullopt}), "0.0012");
}

}  // namespace
}  // namespace msci
