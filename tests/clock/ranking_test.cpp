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

// The table of two kernels whose recorded times differ by three, by their predicted seconds.
std::string table_of(double slow, double fast) {
  std::vector<ProfiledRecord> records(2);
  for (std::size_t i = 0; i < 2; ++i) {
    records[i].id = i == 0 ? "t-1" : "t-2";
    records[i].task = "t";
    records[i].run = "r";
    records[i].size = "one";
    records[i].seconds = i == 0 ? 0.03 : 0.01;
    records[i].times = {{"one", records[i].seconds}};
  }
  return ranking_table(records, {slow, fast});
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Ranking, a_near_tie_is_concordant_and_a_strict_miss) {
  const auto near = table_of(1.005, 1);
  EXPECT_TRUE(has(near, "| t | 1.00 (1) | 1.00 (1) | 1.00 (1) | 0.00 | 0.00 | 0.00 |")) << near;
  const auto far = table_of(1.1, 1);
  EXPECT_TRUE(has(far, "| t | 1.00 (1) | 1.00 (1) | 1.00 (1) | 1.00 | 1.00 | 1.00 |")) << far;
}

TEST(Ranking, counts_pairs_that_are_wrong_equal_and_within_a_hundredth) {
  EXPECT_TRUE(has(table_of(1.005, 1), "| ≥ 2 | t | 0 | 0 | 0 | 1 | 0 |"));
  EXPECT_TRUE(has(table_of(1, 1.005), "| ≥ 2 | t | 1 | 0 | 0 | 0 | 1 |"));
  EXPECT_TRUE(has(table_of(1, 1), "| ≥ 2 | t | 0 | 0 | 1 | 0 | 0 |"));
}

}  // namespace
}  // namespace msci
