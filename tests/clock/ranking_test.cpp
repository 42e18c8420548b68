#include "tests/clock/ranking.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

TEST(Concordance, takes_the_sign_of_a_difference_and_half_of_equal_predictions) {
  EXPECT_EQ(concordance_of_pair(0), 0.5);
  EXPECT_EQ(concordance_of_pair(1e-12), 0.5);  // rounding
  EXPECT_EQ(concordance_of_pair(-1e-12), 0.5);
  EXPECT_EQ(concordance_of_pair(1e-6), 1);
  EXPECT_EQ(concordance_of_pair(-1e-6), 0);
  EXPECT_EQ(concordance_of_pair(0.02), 1);
  EXPECT_EQ(concordance_of_pair(-0.02), 0);
}

}  // namespace
}  // namespace msci
