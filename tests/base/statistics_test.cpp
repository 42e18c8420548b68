#include "base/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace msci {
namespace {

TEST(Median, lies_in_the_middle) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 2}), 2);
  EXPECT_EQ(median({1, 2, 4, 9}), 3);
  EXPECT_DOUBLE_EQ(quantile({0, 10, 20, 30, 40}, 0.25), 10);
  EXPECT_DOUBLE_EQ(quantile({0, 10}, 0.9), 9);
}

TEST(RelativeStandardError, is_that_of_the_mean) {
  // Mean 4, squares 8, s = sqrt(8/2) = 2, over sqrt(3) and 4.
  EXPECT_DOUBLE_EQ(*relative_standard_error(std::vector{2.0, 4.0, 6.0}), 2 / std::sqrt(3) / 4);
  EXPECT_FALSE(relative_standard_error(std::vector{2.0}));
  EXPECT_FALSE(relative_standard_error(std::vector{-1.0, 1.0}));
}

TEST(BootstrapMedian, holds_the_true_median_about_as_often_as_it_says) {
  std::minstd_rand random(7);
  std::lognormal_distribution<double> noise(0, 0.3);  // median 1
  int held = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> values(25);
    for (auto& value : values) value = noise(random);
    const auto interval = *bootstrap_median(values);
    held += interval.low <= 1 && 1 <= interval.high;
  }
  EXPECT_GT(held, 270);  // 285 expected, standard deviation 4
  EXPECT_LT(held, 299);
  EXPECT_FALSE(bootstrap_median(std::vector{1.0}));
}

TEST(BootstrapMedian, says_the_same_each_time) {
  const std::vector values{1.0, 2.0, 3.0, 4.0, 5.0, 9.0};
  EXPECT_EQ(bootstrap_median(values), bootstrap_median(values));
}

TEST(RankInterval, counts_by_the_binomial_distribution) {
  std::vector<double> values;
  for (int i = 1; i <= 12; ++i) values.push_back(i);
  // Outside of smallest and largest: 2/4096 = 0.05 %; of the second: 26/4096 = 0.63 %; of the
  // third: 158/4096 = 3.9 %.
  EXPECT_EQ(*rank_interval(values, 0.999), (ConfidenceInterval{1, 12}));
  EXPECT_EQ(*rank_interval(values, 0.99), (ConfidenceInterval{2, 11}));
  EXPECT_EQ(*rank_interval(values, 0.95), (ConfidenceInterval{3, 10}));
  EXPECT_FALSE(rank_interval(values, 0.9999));
  EXPECT_FALSE(rank_interval({1, 2, 3}, 0.95));
  EXPECT_FALSE(rank_interval({}, 0.5));
}

TEST(Outliers, lie_far_outside_of_the_quartiles) {
  EXPECT_EQ(count_outliers(std::vector{1.0, 1.1, 1.2, 1.3, 1.4, 5.0}), 1u);
  EXPECT_EQ(count_outliers(std::vector{1.0, 1.1, 1.2, 1.3, 1.4, 1.5}), 0u);
  EXPECT_EQ(count_outliers({}), 0u);
}

TEST(Drift, is_seen_through_noise_and_not_in_it) {
  std::vector<double> rising, flat;
  for (int i = 0; i < 20; ++i) {
    const double noise = (i * 7 % 5) * 0.002;
    rising.push_back(1 + 0.01 * i + noise);
    flat.push_back(1 + noise);
  }
  ASSERT_TRUE(drift(rising));
  EXPECT_NEAR(*drift(rising), 0.19, 0.02);
  EXPECT_FALSE(drift(flat));
  EXPECT_FALSE(drift(std::vector{1.0, 2.0, 3.0})) << "three values do not make a trend";
}

TEST(Drift, falls_by_no_more_than_all_of_it) {
  std::vector<double> falling;
  for (int i = 0; i < 20; ++i) falling.push_back(1.0 / (1 << i));
  EXPECT_NEAR(*drift(falling), -1, 1e-5);
  EXPECT_GT(*drift(falling), -1);
  falling.back() = 0;
  EXPECT_FALSE(drift(falling));
}

TEST(Spread, joins_what_is_known_of_a_row) {
  const auto spread = spread_of(std::vector{1.0, 2.0, 3.0, 4.0, 5.0});
  EXPECT_EQ(spread.samples, 5u);
  EXPECT_DOUBLE_EQ(spread.interquartile, 2.0 / 3);
  EXPECT_EQ(spread.outliers, 0u);
  const auto one = spread_of(std::vector{2.0});
  EXPECT_FALSE(one.interval);
  EXPECT_EQ(one.interquartile, 0);
}

}  // namespace
}  // namespace msci
