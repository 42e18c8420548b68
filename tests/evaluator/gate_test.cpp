// The held-out gate on a device that answers from a script.
#include "evaluator/gate.h"

#include <gtest/gtest.h>

#include "evaluator/result/result_text.h"
#include "tests/fake_device.h"

namespace msci {
namespace {

// One float, 1, is right; one shown size and a held-out one.
const Task toy{.name = "toy",
               .kernels = {{.name = "toy"}},
               .sizes = {{"shown", {}}},
               .held_out = Size{"hidden", {}},
               .plan = [](const Size&, const Translation&) -> Result<Plan> {
                 Plan plan;
                 plan.results = {plan.add_scalar("out", 0.0f)};
                 return plan;
               },
               .judge =
                   [](const Size&, const Bytes&, const Outputs& outputs, const Outputs&) {
                     const double error = 1 - outputs.at(0).as<float>()[0];
                     return Verdict{
                         .correct = error == 0, .error_value = error, .error_kind = "max_abs"};
                   },
               .work = [](const Size&) { return 1e9; }};

Candidate with_text(std::string text) {
  return {.name = text,
          .compiled = Compiled{.translation = Translation{
                                   .text = text, .kernels = {{.name = "toy", .symbol = "toy"}}}}};
}

const Candidate seed = with_text("seed");
const Candidate incumbent = with_text("other");

Result<Attempt<Run>> gave(float value, std::vector<double> seconds = {}) {
  const Outputs outputs = {Bytes::of<float>(std::vector{value})};
  Run run{.outputs = outputs, .seconds = std::move(seconds)};
  if (!run.seconds.empty()) run.timed_outputs = outputs;
  return Attempt<Run>{std::move(run)};
}

using Answers = std::deque<Result<Attempt<Run>>>;

const Attempt<Run> died = Failure{Failure::Cause::crash, "it died"};

class Gate : public testing::Test {
 protected:
  Result<GateResult> run(Answers answers, const Candidate& what = incumbent,
                         const ComparePredicted& predict = nullptr) {
    device_.run_answers = std::move(answers);
    const EvaluationContext context{
        .device = device_, .ceilings = Ceilings{1, 10}, .cache = cache_};
    auto report = run_gate(toy, seed, what, context,
                           {.repeats = {.warmup = 0, .timed = 1}, .predict = predict});
    EXPECT_TRUE(device_.run_answers.empty()) << "it asked for less than was expected";
    return report;
  }

  // Both are right everywhere; then twelve rounds, in which who goes first alternates.
  static Answers right_and_then(double incumbents, double seeds) {
    Answers answers = {gave(1), gave(1, {1}), gave(1, {1})};
    for (int round = 0; round < 12; ++round)
      for (const bool first : {true, false})
        answers.push_back(gave(1, {first == (round % 2 == 0) ? incumbents : seeds}));
    return answers;
  }

  FakeDevice device_;
  Cache cache_{std::nullopt};
};

TEST_F(Gate, says_who_generalises_and_who_is_slower) {
  const auto faster = run(right_and_then(1, 2));
  ASSERT_TRUE(faster) << faster.error().message;
  EXPECT_EQ(faster->verdict, GateVerdict::generalises);
  EXPECT_DOUBLE_EQ(faster->speed_up->median, 2);
  EXPECT_NE(to_text(*faster).find("in turns with the seed: 2.00 times as fast"), std::string::npos)
      << to_text(*faster);
  const auto slower = run(right_and_then(2, 1));
  ASSERT_TRUE(slower) << slower.error().message;
  EXPECT_EQ(slower->verdict, GateVerdict::silent_regression);
}

// The seed takes that many times as long, by prediction.
ComparePredicted predicting(double ratio, const std::string& unlike = "") {
  return [=](const Task& task) -> Result<PredictedComparison> {
    PredictedComparison comparison{.rival = "the seed", .chip = "m1-pro"};
    for (const auto& size : task.sizes)
      comparison.sizes.push_back(
          {std::string(size.label), {.seconds = 1, .unlike = unlike}, {.seconds = ratio}});
    return comparison;
  };
}

TEST_F(Gate, a_prediction_for_another_device_decides_about_a_regression) {
  const auto faster_there = run(right_and_then(2, 1), incumbent, predicting(10));
  ASSERT_TRUE(faster_there) << faster_there.error().message;
  EXPECT_EQ(faster_there->verdict, GateVerdict::generalises);
  EXPECT_DOUBLE_EQ(faster_there->speed_up->median, 0.5);
  EXPECT_EQ(faster_there->predicted->sizes.at(0).label, "hidden");
  EXPECT_NE(
      to_text(*faster_there).find("predicted on m1-pro against the seed: 10.00 times as fast"),
      std::string::npos)
      << to_text(*faster_there);
  const auto slower_there = run(right_and_then(1, 2), incumbent, predicting(0.1));
  ASSERT_TRUE(slower_there) << slower_there.error().message;
  EXPECT_EQ(slower_there->verdict, GateVerdict::silent_regression);
  const auto unknown = run(right_and_then(2, 1), incumbent, predicting(10, "x"));
  ASSERT_TRUE(unknown) << unknown.error().message;
  EXPECT_EQ(unknown->verdict, GateVerdict::silent_regression);  // as measured
}

TEST_F(Gate, does_not_measure_a_program_against_itself) {
  const auto same = run({gave(1), gave(1, {1}), gave(1, {1})}, seed);
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(same->verdict, GateVerdict::generalises);
  EXPECT_TRUE(same->same_program);
}

TEST_F(Gate, names_a_wrong_timed_pass_in_turns) {
  auto lazy = gave(1, {1, 1, 1});
  std::get<msci::Run>(*lazy).deviations = {{0, {Bytes::of<float>(std::vector{0.9f})}}};
  const auto report = run({gave(1), gave(1, {1}), gave(1, {1}), lazy});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->verdict, GateVerdict::silent_incorrect);
  EXPECT_EQ(report->incumbent.fail_reason,
            "in turns, at size hidden: a timed pass is wrong: max_abs 1.000e-01");
}

TEST_F(Gate, names_what_is_overrun_in_turns) {
  auto wild = gave(1, {1, 1, 1});
  std::get<msci::Run>(*wild).overruns = {"y"};
  const auto report = run({gave(1), gave(1, {1}), gave(1, {1}), wild});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->incumbent.fail_reason,
            "in turns, at size hidden: a pass writes beside the ends of y");
}

TEST_F(Gate, tells_what_is_wrong_already_from_what_is_silently_wrong) {
  const auto shown = run({gave(3)});
  ASSERT_TRUE(shown) << shown.error().message;
  EXPECT_EQ(shown->verdict, GateVerdict::incorrect);
  EXPECT_EQ(shown->incumbent.fail_reason, "correctness failed at size shown: max_abs=-2.000e+00");
  EXPECT_FALSE(shown->seed);
  const auto hidden = run({gave(1), gave(1, {1}), gave(3, {1})});
  ASSERT_TRUE(hidden) << hidden.error().message;
  EXPECT_EQ(hidden->verdict, GateVerdict::silent_incorrect);
  EXPECT_EQ(hidden->incumbent.fail_reason, "correctness failed at size hidden: max_abs=-2.000e+00");
}

TEST_F(Gate, who_fails_in_turns_bears_it) {
  const auto report = run({gave(1), gave(1, {1}), gave(1, {1}), died});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->verdict, GateVerdict::silent_incorrect);
  EXPECT_EQ(report->incumbent.fail_reason, "in turns, at size hidden: it died");
  const auto rivals = run({gave(1), gave(1, {1}), gave(1, {1}), gave(1, {1}), died});
  ASSERT_FALSE(rivals);
  EXPECT_EQ(rivals.error().message, "the rival does not run at size hidden: it died");
}

}  // namespace
}  // namespace msci
