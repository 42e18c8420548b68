// Rates and scores, against numbers worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "evaluator/score/performance.h"

namespace msci {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

std::vector<CascadeSample> samples(const std::string& problem, std::vector<Stage> passed) {
  std::vector<CascadeSample> all;
  for (const auto stage : passed) all.push_back({problem, stage});
  return all;
}

std::vector<CascadeSample> operator+(std::vector<CascadeSample> a,
                                     const std::vector<CascadeSample>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(PassAtK, is_the_share_that_passed_for_one) {
  EXPECT_DOUBLE_EQ(pass_at_k(10, 3, 1), 0.3);
  EXPECT_EQ(pass_at_k(10, 0, 1), 0);
  EXPECT_EQ(pass_at_k(10, 10, 1), 1);
}

TEST(PassAtK, counts_the_draws_without_a_pass) {
  EXPECT_DOUBLE_EQ(pass_at_k(4, 1, 2), 0.5);  // 1 - C(3,2)/C(4,2) = 1 - 3/6
  EXPECT_DOUBLE_EQ(pass_at_k(5, 2, 3), 0.9);  // 1 - C(3,3)/C(5,3) = 1 - 1/10
  EXPECT_EQ(pass_at_k(5, 3, 3), 1);           // two failures cannot fill three places
  EXPECT_EQ(pass_at_k(5, 0, 5), 0);
  EXPECT_NEAR(pass_at_k(2000, 1, 1000), 0.5, 1e-9);  // factorials would have overflowed
}

TEST(Cascade, rates_fall_from_stage_to_stage) {
  const auto rates = cascade_rates(samples("a", {Stage::none, Stage::syntax, Stage::degeneracy,
                                                 Stage::function, Stage::generalisation}));
  EXPECT_EQ(rates.samples, 5u);
  EXPECT_DOUBLE_EQ(*rates.syntax, 0.8);
  EXPECT_DOUBLE_EQ(*rates.degeneracy, 0.6);
  EXPECT_DOUBLE_EQ(*rates.function, 0.4);
  EXPECT_DOUBLE_EQ(*rates.generalisation, 0.2);
}

TEST(Cascade, all_failed_is_zero_and_nothing_is_none) {
  const auto rates = cascade_rates(samples("a", {Stage::none, Stage::none}));
  EXPECT_EQ(*rates.syntax, 0);
  EXPECT_EQ(*rates.generalisation, 0) << "what failed before fails here, tried or not";
  EXPECT_FALSE(cascade_rates({}).syntax);
}

TEST(Cascade, a_problem_with_more_samples_weighs_no_more) {
  // Problem a: 1 of 4; problem b: 1 of 1. Mean 0.625, where counting samples gives 0.4.
  const auto all = samples("a", {Stage::function, Stage::none, Stage::none, Stage::none}) +
                   samples("b", {Stage::function});
  EXPECT_DOUBLE_EQ(*cascade_rates(all).function, 0.625);
}

TEST(Cascade, benchmarks_count_by_their_problems) {
  // One benchmark of three problems, all right, one of a single problem, wrong; two candidates
  // each. (3 * 1 + 1 * 0) / 4 = 0.75 = 6 of 8 samples.
  const auto right = {Stage::function, Stage::function};
  const auto all = samples("a1", right) + samples("a2", right) + samples("a3", right) +
                   samples("b1", {Stage::none, Stage::none});
  EXPECT_DOUBLE_EQ(*cascade_rates(all).function, 0.75);
}

TEST(Cascade, pass_at_k_needs_k_samples_of_every_problem) {
  const auto all = samples("a", {Stage::function, Stage::none, Stage::none}) +
                   samples("b", {Stage::function, Stage::function});
  EXPECT_DOUBLE_EQ(*cascade_rates(all, 2).function, (2.0 / 3 + 1) / 2);  // 1 - C(2,2)/C(3,2), 1
  EXPECT_FALSE(cascade_rates(all, 3).function);
}

TEST(Cascade, generalisation_is_unknown_where_a_correct_one_was_not_tried) {
  auto all = samples("a", {Stage::function, Stage::none});
  EXPECT_EQ(*cascade_rates(all).generalisation, 0);
  all[0].tried_generalisation = false;
  EXPECT_FALSE(cascade_rates(all).generalisation);
  EXPECT_DOUBLE_EQ(*cascade_rates(all).function, 0.5);
}

TEST(Performance, is_two_less_the_ratio) {
  EXPECT_DOUBLE_EQ(performance_score(3, 3), 1);
  EXPECT_DOUBLE_EQ(performance_score(1.5, 3), 1.5);
  EXPECT_DOUBLE_EQ(performance_score(4.5, 3), 0.5);
  EXPECT_EQ(performance_score(0, 3), 2);
}

TEST(Performance, failure_counts_as_twice_the_cost) {
  EXPECT_EQ(performance_score(std::nullopt, 3), 0);
  EXPECT_EQ(performance_score(6, 3), 0);
  EXPECT_EQ(performance_score(600, 3), 0);
  for (const auto odd : {nan_value, infinity, -1.0}) EXPECT_EQ(performance_score(odd, 3), 0);
}

TEST(Performance, totals_are_means_over_candidates_then_over_kinds) {
  const auto total = performance_total(std::vector<CostSample>{
      {"time", 1, 2}, {"time", std::nullopt, 2}, {"time", 2, 2}, {"memory", 3, 2}});
  ASSERT_EQ(total.kinds.size(), 2u);
  EXPECT_EQ(total.kinds[0], (PerformanceTotal::Kind{"memory", 1, 0.5}));
  EXPECT_EQ(total.kinds[1].name, "time");
  EXPECT_DOUBLE_EQ(total.kinds[1].score, (1.5 + 0 + 1) / 3);
  EXPECT_DOUBLE_EQ(*total.percent, 100 * (0.5 + 2.5 / 3) / 2);
}

TEST(Performance, all_failed_all_equal_and_all_better) {
  const auto percent = [](std::optional<double> cost) {
    return *performance_total(std::vector<CostSample>{{"time", cost, 2}, {"time", cost, 2}})
                .percent;
  };
  EXPECT_EQ(percent(std::nullopt), 0);
  EXPECT_DOUBLE_EQ(percent(2), 100);
  EXPECT_DOUBLE_EQ(percent(0.5), 175) << "better than the reference is above 100 %";
  EXPECT_FALSE(performance_total({}).percent);
}

TEST(Ratio, has_six_classes_asked_for_in_order) {
  EXPECT_EQ(classify(std::nullopt), RatioClass::none);
  EXPECT_EQ(classify(nan_value), RatioClass::nan);
  EXPECT_EQ(classify(-nan_value), RatioClass::nan);
  EXPECT_EQ(classify(infinity), RatioClass::infinite);
  EXPECT_EQ(classify(-infinity), RatioClass::infinite);
  EXPECT_EQ(classify(-1e-300), RatioClass::negative);
  EXPECT_EQ(classify(-0.0), RatioClass::zero);
  EXPECT_EQ(classify(0), RatioClass::zero);
  EXPECT_EQ(classify(5e-324), RatioClass::valid);
}

TEST(Ratio, of_odd_measurements_is_odd) {
  EXPECT_EQ(classify(speed_up(std::nullopt, 1)), RatioClass::none);
  EXPECT_EQ(classify(speed_up(1, std::nullopt)), RatioClass::none);
  EXPECT_EQ(classify(speed_up(0, 0)), RatioClass::nan);
  EXPECT_EQ(classify(speed_up(1, 0)), RatioClass::infinite);
  EXPECT_EQ(classify(speed_up(0, 1)), RatioClass::zero);
  EXPECT_EQ(classify(speed_up(-1, 1)), RatioClass::negative);
  EXPECT_EQ(*speed_up(3, 2), 1.5);
}

TEST(Ratio, only_valid_ones_enter_the_mean) {
  using Ratios = std::vector<std::optional<double>>;
  EXPECT_DOUBLE_EQ(*mean_ratio(Ratios{4, 1, nan_value, infinity, -2, 0, std::nullopt}), 2);
  EXPECT_FALSE(mean_ratio(Ratios{0, infinity, std::nullopt}));
  EXPECT_FALSE(mean_ratio(Ratios{}));
}

}  // namespace
}  // namespace msci
