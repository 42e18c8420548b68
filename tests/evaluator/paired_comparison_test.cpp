#include "evaluator/measure/paired_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/fake_device.h"

namespace msci {
namespace {

const Task toy{.name = "toy",
               .sizes = {{"one", {{"n", 1}}}, {"two", {{"n", 2}}}},
               .plan = [](const Size& size, const Translation& translation) -> Result<Plan> {
                 Plan plan;
                 plan.add_scalar(translation.source_name, size["n"]);
                 return plan;
               },
               .judge = [](const Size&, const Bytes&, const Outputs&,
                           const Outputs&) { return Verdict{.correct = true}; }};
Cache nowhere{std::nullopt};
const Translation ours{.source_name = "ours"};
const Translation theirs{.source_name = "theirs"};

Result<Attempt<msci::Run>> took(std::vector<double> seconds) {
  return Attempt<msci::Run>{msci::Run{.seconds = std::move(seconds)}};
}

PairedTimes row(std::vector<double> candidate, std::vector<double> rival) {
  return {"s", std::move(candidate), std::move(rival)};
}

TEST(PairedComparison, alternates_which_kernel_is_first) {
  FakeDevice device;
  for (int i = 0; i < 6; ++i) device.run_answers.push_back(took({1, 9, 1}));
  const auto versus = compare_paired(toy, std::span(toy.sizes).last(1), {ours, device},
                                     {theirs, device}, nowhere, {.count = 3, .turn = {1, 3}});
  ASSERT_TRUE(versus);
  std::string order;
  for (const auto& asked : device.asked) order += asked.plan.buffers[0].name + " ";
  EXPECT_EQ(order, "ours theirs theirs ours ours theirs ");
  EXPECT_EQ(device.asked[0].repeats, (Repeats{1, 3}));
  EXPECT_EQ(std::get<PairedComparison>(*versus).sizes.at(0).candidate,
            (std::vector<double>{1, 1, 1}));
}

std::vector<double> eight(double value) { return std::vector<double>(8, value); }

TEST(PairedComparison, ratio_is_the_median_of_the_rounds) {
  // Rival over candidate: 2 to 9.
  const PairedComparison versus{{row(eight(1), {2, 3, 4, 5, 6, 7, 8, 9})}};
  const auto ratio = versus.at(0);
  ASSERT_TRUE(ratio);
  EXPECT_DOUBLE_EQ(ratio->median, std::sqrt(5.0 * 6));
  EXPECT_DOUBLE_EQ(ratio->interval.low, 2);
  EXPECT_DOUBLE_EQ(ratio->interval.high, 9);
}

TEST(PairedComparison, has_no_ratio_after_too_few_rounds_for_an_interval) {
  const PairedComparison three{{row({1, 1, 1}, {2, 4, 8})}};
  EXPECT_EQ(three.rounds(), 3u);
  EXPECT_FALSE(three.at(0)) << "three rounds prove nothing";
  EXPECT_FALSE(three.overall());
  EXPECT_FALSE(three.is_faster());
  EXPECT_FALSE(PairedComparison{}.overall());
  EXPECT_EQ(PairedComparison{}.rounds(), 0u);
}

TEST(PairedComparison, combines_sizes_round_by_round) {
  const PairedComparison versus{{row(eight(1), eight(2)), row(eight(1), eight(8))}};
  ASSERT_TRUE(versus.overall());
  EXPECT_DOUBLE_EQ(versus.overall()->median, 4);
}

TEST(PairedComparison, one_round_of_twelve_may_be_disturbed) {
  const std::vector<double> twelve(12, 1);
  auto slower = std::vector<double>(12, 1.1);
  slower[4] = 0.5;
  PairedComparison versus{{row(twelve, slower)}};
  EXPECT_TRUE(versus.is_faster());
  EXPECT_TRUE(versus.is_faster(0.09));
  EXPECT_FALSE(versus.is_faster(0.11));
  versus.sizes = {row(twelve, std::vector<double>(12, 1.015))};
  EXPECT_TRUE(versus.is_faster(0));
  EXPECT_FALSE(versus.is_faster()) << "so much two processes with one kernel differ";
  versus.sizes = {row(std::vector<double>(12, 1.015), twelve)};
  EXPECT_FALSE(versus.is_slower());
  versus.sizes = {row(std::vector<double>(12, 1.05), twelve)};
  EXPECT_TRUE(versus.is_slower());
  versus.sizes = {row(twelve, slower)};
  slower[7] = 0.5;
  versus.sizes = {row(twelve, slower)};
  EXPECT_FALSE(versus.is_faster()) << "two may not";
}

TEST(PairedComparison, two_rounds_of_twelve_decide_that_it_is_not_faster) {
  PairedComparison versus{{row({1}, {1.02})}};
  EXPECT_TRUE(versus.may_be_faster(12));
  EXPECT_TRUE((PairedComparison{{row({1, 1, 1}, {1.03, 0.5, 1.03})}}.may_be_faster(12)));
  EXPECT_FALSE((PairedComparison{{row({1, 1, 1}, {1.02, 3, 0.9})}}.may_be_faster(12)));
  EXPECT_FALSE((PairedComparison{{row({1}, {9})}}.may_be_faster(7))) << "seven rounds never do";
}

// Whatever the rounds are, an early end is never faster, and the full comparison would not be.
TEST(PairedComparison, an_early_end_changes_no_promotion) {
  std::mt19937 random(36);
  unsigned ended = 0, faster = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::normal_distribution<double> ratio(1 + 0.01 * (trial % 10), 0.03);
    std::vector<double> rival;
    for (int round = 0; round < 12; ++round) rival.push_back(ratio(random));
    const PairedComparison full{{row(std::vector<double>(12, 1), rival)}};
    PairedComparison early = full;
    for (unsigned round = 1; round <= 12; ++round) {
      early.sizes = {row(std::vector<double>(round, 1), {rival.begin(), rival.begin() + round})};
      if (!early.may_be_faster(12)) break;
    }
    ASSERT_EQ(early.is_faster(), full.is_faster()) << "trial " << trial;
    ended += early.sizes[0].rival.size() < 12;
    faster += full.is_faster();
  }
  EXPECT_GT(ended, 10'000u);
  EXPECT_GT(faster, 1'000u);
}

TEST(PairedComparison, ends_early_if_it_is_told_to) {
  for (const bool end_early : {true, false}) {
    FakeDevice device;
    device.answer = [](const Plan&, Repeats) { return took({1}); };
    const auto versus = compare_paired(toy, std::span(toy.sizes).first(1), {ours, device},
                                       {theirs, device}, nowhere, {.end_early = end_early});
    ASSERT_TRUE(versus);
    EXPECT_EQ(std::get<PairedComparison>(*versus).sizes[0].rival.size(), end_early ? 2u : 12u);
  }
}

TEST(PairedComparison, a_kernel_that_fails_has_no_ratio) {
  FakeDevice device;
  const Attempt<msci::Run> failure = Failure{Failure::Cause::crash, "it died"};
  const auto compare = [&] {
    return compare_paired(toy, std::span(toy.sizes).first(1), {ours, device}, {theirs, device},
                          nowhere);
  };
  device.run_answers = {failure};
  const auto versus = compare();
  ASSERT_TRUE(versus);
  EXPECT_EQ(std::get<Failure>(*versus).message, "at size one: it died");
  device.run_answers = {took({1}), failure};
  EXPECT_EQ(compare().error().message, "the rival does not run at size one: it died");
}

TEST(PairedComparison, a_pass_without_time_is_our_error) {
  FakeDevice device;
  device.run_answers = {took({0, 0, 0})};
  EXPECT_FALSE(compare_paired(toy, std::span(toy.sizes).first(1), {ours, device}, {theirs, device},
                              nowhere));
}

}  // namespace
}  // namespace msci
