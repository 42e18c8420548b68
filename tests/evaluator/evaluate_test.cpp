// The loop over sizes, with a toy task on a device that answers from a script.
#include "evaluator/evaluate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/fake_device.h"

namespace msci {
namespace {

// One float, the size's "n", is right; 1e9 bytes of work, so that GB/s are one over seconds.
Result<Plan> toy_plan(const Size& size, const Translation& translation) {
  if (translation.find("toy")->cap() < 16) return Error{"division by zero"};
  Plan plan;
  plan.results = {plan.add_scalar("out", static_cast<float>(size["n"]))};
  return plan;
}

int references_computed = 0;

Bytes toy_reference(const Size& size) {
  ++references_computed;
  return Bytes::of<float>(std::vector{static_cast<float>(size["n"])});
}

Verdict toy_judge(const Size&, const Bytes& reference, const Outputs& output,
                  const Outputs& timed_output) {
  const double error = std::abs(output.at(0).as<float>()[0] - reference.as<float>()[0]);
  const double timed_error = std::abs(timed_output.at(0).as<float>()[0] - reference.as<float>()[0]);
  return {error <= 0.5 && timed_error < 100, error, "max_abs", 0.5};
}

const Task toy{.name = "toy",
               .kernels = {{.name = "toy"}},
               .sizes = {{"one", {{"n", 1}}}, {"two", {{"n", 2}}}, {"three", {{"n", 3}}}},
               .held_out = Size{"nine", {{"n", 9}}},
               .unit = "GB/s",
               .plan = toy_plan,
               .reference = toy_reference,
               .judge = toy_judge,
               .work = [](const Size&) { return 1e9; }};

const Translation program{.kernels = {{.name = "toy", .symbol = "toy"}}};

Outputs one_float(float value) { return {Bytes::of<float>(std::vector{value})}; }

Result<Attempt<msci::Run>> ran(float value, std::vector<double> seconds = {}) {
  msci::Run run{.outputs = one_float(value), .seconds = seconds};
  if (!seconds.empty()) run.timed_outputs = one_float(value);
  return Attempt<msci::Run>{run};
}

Result<Attempt<msci::Run>> failed(Failure::Cause cause) {
  return Attempt<msci::Run>{Failure{cause, "it failed"}};
}

class Evaluate : public testing::Test {
 protected:
  Outcome evaluate_toy(EvaluationOptions protocol, const Translation& translation = program) {
    const EvaluationContext context{device_, Ceilings{.gflops = 1000, .gbps = 10}, cache_};
    auto evaluation = evaluate(toy, translation, context, protocol);
    EXPECT_TRUE(evaluation) << evaluation.error().message;
    return evaluation ? evaluation->outcome : Outcome{};
  }

  FakeDevice device_;
  Cache cache_{std::nullopt};
};

TEST_F(Evaluate, scores_the_geometric_mean_of_the_fractions) {
  // Medians of 0.1, 0.2 and 0.4 s: 10, 5 and 2.5 GB/s of 10.
  device_.run_answers = {ran(1, {0.1, 0.1, 9, 0.1}), ran(2, {0.9, 0.1, 0.2}), ran(3, {0.3, 0.5})};
  const auto scored = std::get<Scored>(evaluate_toy({}));
  ASSERT_EQ(scored.sizes.size(), 3u);
  EXPECT_DOUBLE_EQ(scored.sizes[0].timing->fraction, 1);
  EXPECT_DOUBLE_EQ(scored.sizes[1].timing->seconds, 0.2);
  EXPECT_DOUBLE_EQ(scored.sizes[2].timing->achieved, 2.5);
  EXPECT_DOUBLE_EQ(scored.sizes[2].timing->ceiling, 10);
  EXPECT_NEAR(*scored.score, 0.5, 1e-12);
  EXPECT_FALSE(scored.held_out);
  EXPECT_EQ(device_.asked[2].repeats, (Repeats{3, 10}));
}

// A device that is slow while its ceilings are first measured, and fast later.
class Recovering : public Evaluate {
 protected:
  void SetUp() override {
    device_.about = {.name = "fake",
                     .kind = DeviceInfo::Kind::cpu,
                     .global_memory = std::size_t{16} << 30,
                     .max_buffer = std::size_t{4} << 30};
    device_.answer = [this](const Plan& plan, Repeats repeats) {
      if (plan.results.empty()) return probed(plan, repeats);
      return ran(plan.buffers[0].initial == one_float(1)[0]   ? 1
                 : plan.buffers[0].initial == one_float(2)[0] ? 2
                                                              : 3,
                 std::vector<double>(repeats.timed, 1 / kernel_));
    };
  }

  Result<Attempt<msci::Run>> probed(const Plan& plan, Repeats repeats) const {
    const auto bytes = static_cast<double>(plan.buffers[0].bytes * plan.launches.size());
    const double moved = plan.launches.front().kernel == "update" ? 3 * bytes : 2 * bytes;
    return Attempt<msci::Run>{
        msci::Run{.seconds = std::vector<double>(repeats.timed, moved / (device_speed_ * 1e9))}};
  }

  std::shared_ptr<CeilingGauge> open_gauge() {
    auto gauge = CeilingGauge::open(device_, cache_, [this] { return is_busy_; });
    EXPECT_TRUE(gauge) << gauge.error().message;
    return std::make_shared<CeilingGauge>(*std::move(gauge));
  }

  Evaluation judged(std::shared_ptr<CeilingGauge> gauge, const Task& task = toy) {
    const EvaluationContext context{
        .device = device_, .ceilings = gauge->current(), .cache = cache_, .gauge = gauge};
    auto evaluation = evaluate(task, program, context, {});
    EXPECT_TRUE(evaluation) << evaluation.error().message;
    return *std::move(evaluation);
  }

  double device_speed_ = 10;  // GB/s
  double kernel_ = 38;        // GB/s
  bool is_busy_ = false;
};

TEST_F(Recovering, tells_no_fraction_of_a_ceiling_that_a_load_had_lowered) {
  for (const bool is_seen : {true, false}) {
    device_speed_ = 10;
    is_busy_ = is_seen;
    const auto gauge = open_gauge();
    device_speed_ = 40;
    is_busy_ = false;
    const auto evaluation = judged(gauge);
    const auto& scored = std::get<Scored>(evaluation.outcome);
    EXPECT_NEAR(*scored.score, 0.95, 1e-9);
    for (const auto& size : scored.sizes) {
      EXPECT_NEAR(size.timing->ceiling, 40, 1e-9);
      EXPECT_FALSE(size.timing->above_ceiling);
    }
    EXPECT_EQ(evaluation.ceilings->is_beside_load, is_seen) << "that of memory may still be low";
  }
}

TEST_F(Recovering, relates_the_first_sizes_to_the_ceiling_of_the_last) {
  const auto gauge = open_gauge();
  unsigned kernels = 0;
  device_.answer = [&, answer = device_.answer](const Plan& plan, Repeats repeats) {
    if (!plan.results.empty() && ++kernels == 3) {
      kernel_ = 19;
      device_speed_ = 20;
    }
    return answer(plan, repeats);
  };
  kernel_ = 10;
  const auto evaluation = judged(gauge);
  const auto& sizes = std::get<Scored>(evaluation.outcome).sizes;
  EXPECT_NEAR(sizes[0].timing->fraction, 0.5, 1e-9);
  EXPECT_NEAR(sizes[2].timing->fraction, 0.95, 1e-9);
}

TEST_F(Recovering, says_in_words_what_stays_above_the_ceiling) {
  const auto gauge = open_gauge();
  device_.asked.clear();
  const auto evaluation = judged(gauge);
  const auto& scored = std::get<Scored>(evaluation.outcome);
  EXPECT_NEAR(*scored.score, most_fraction, 1e-9);
  for (const auto& size : scored.sizes) {
    EXPECT_NEAR(size.timing->fraction, most_fraction, 1e-9);
    EXPECT_NEAR(size.timing->achieved, 38, 1e-9);
    EXPECT_EQ(size.timing->above_ceiling,
              "the task counts more bytes than the kernel has to move through memory or caches");
  }
  const auto kernels = std::ranges::count_if(
      device_.asked, [](const FakeDevice::Asked& each) { return !each.plan.results.empty(); });
  EXPECT_EQ(kernels, 6) << "each was timed again";
}

TEST_F(Recovering, takes_the_longer_time_of_a_kernel_that_is_timed_again) {
  const auto gauge = open_gauge();
  unsigned kernels = 0;
  device_.answer = [&, answer = device_.answer](const Plan& plan, Repeats repeats) {
    if (!plan.results.empty()) kernel_ = kernels++ % 2 == 0 ? 38 : 5;
    return answer(plan, repeats);
  };
  const auto evaluation = judged(gauge);
  EXPECT_NEAR(*std::get<Scored>(evaluation.outcome).score, 0.5, 1e-9);
}

TEST_F(Recovering, says_that_a_kernel_fails_when_it_is_timed_again) {
  const auto gauge = open_gauge();
  unsigned kernels = 0;
  device_.answer = [&, answer = device_.answer](const Plan& plan,
                                                Repeats repeats) -> Result<Attempt<msci::Run>> {
    if (!plan.results.empty() && ++kernels == 2)
      return Attempt<msci::Run>{
          Failure{Failure::Cause::time_out, "no result after 2 s of running"}};
    return answer(plan, repeats);
  };
  const auto evaluation = judged(gauge);
  const auto& size = std::get<Wrong>(evaluation.outcome).sizes.front();
  EXPECT_EQ(std::get<Failure>(size.answer),
            (Failure{Failure::Cause::time_out,
                     "timed again, because it is above the ceiling: no result after 2 s of "
                     "running"}));
  EXPECT_FALSE(size.timing);
}

TEST_F(Recovering, leaves_the_ceiling_of_a_plan_to_its_user) {
  Task own = toy;
  own.best_rate = 19;
  const auto evaluation = judged(open_gauge(), own);
  const auto& timing = *std::get<Scored>(evaluation.outcome).sizes.front().timing;
  EXPECT_NEAR(timing.fraction, 2, 1e-9);
  EXPECT_EQ(timing.above_ceiling, "the plan's own ceiling is lower than what the kernel reaches");
}

TEST_F(Evaluate, takes_no_time_that_is_impossible) {
  // 1e9 bytes in a microsecond, where the device can move 1e10 a second.
  device_.run_answers = {ran(1, {1e-6}), ran(2, {0.1}), ran(3, {0.1})};
  const auto wrong = std::get<Wrong>(evaluate_toy({}));
  EXPECT_EQ(std::get<Failure>(wrong.sizes.at(0).answer).cause, Failure::Cause::run_time);
}

TEST_F(Evaluate, tells_whether_a_timed_pass_was_right) {
  auto odd = ran(1, {0.1});
  std::get<0>(*odd).timed_outputs = one_float(2);
  device_.run_answers = {odd, ran(2, {0.1}), ran(3, {0.1})};
  const auto scored = std::get<Scored>(evaluate_toy({}));
  EXPECT_EQ(scored.sizes.at(0).timed_correct, false);
  EXPECT_EQ(scored.sizes.at(1).timed_correct, true);
}

TEST_F(Evaluate, one_wrong_pass_or_stray_write_voids_the_time) {
  auto lazy = ran(1, {0.1, 0.1}), wild = ran(2, {0.1}), bold = ran(3, {0.1});
  std::get<0>(*lazy).deviations = {{0, one_float(7)}};
  std::get<0>(*wild).overruns = {"out"};
  std::get<0>(*bold).changed_inputs = {"in"};
  device_.run_answers = {lazy, wild, bold};
  const auto scored = std::get<Scored>(evaluate_toy({}));
  EXPECT_EQ(scored.sizes[0].wrong_pass, "a timed pass is wrong: max_abs 6.000e+00");
  for (const auto& size : scored.sizes) {
    EXPECT_TRUE(size.correct()) << "the recorded verdict does not change";
    EXPECT_FALSE(size.timing);
  }
  EXPECT_FALSE(scored.score);
  EXPECT_EQ(strict_fail_reason(scored, std::nullopt),
            "strict: at size one a timed pass is wrong: max_abs 6.000e+00");
}

TEST_F(Evaluate, judges_without_timing_when_only_verifying) {
  device_.run_answers = {ran(1), ran(2), ran(3)};
  const auto scored = std::get<Scored>(evaluate_toy({.repeats = verify_only}));
  EXPECT_FALSE(scored.score);
  EXPECT_FALSE(scored.sizes[0].timing);
  EXPECT_EQ(device_.asked[0].repeats, verify_only);
}

TEST_F(Evaluate, one_wrong_size_does_not_stop_the_others) {
  device_.run_answers = {ran(1), ran(7), ran(3)};
  const auto wrong = std::get<Wrong>(evaluate_toy({.repeats = verify_only, .held_out = true}));
  ASSERT_EQ(wrong.sizes.size(), 3u);
  EXPECT_TRUE(wrong.sizes[0].correct());
  EXPECT_EQ(std::get<Verdict>(wrong.sizes[1].answer), (Verdict{false, 5, "max_abs", 0.5}));
  EXPECT_TRUE(wrong.sizes[2].correct());
  EXPECT_EQ(device_.asked.size(), 3u) << "the held-out size is for kernels that are right";
}

TEST_F(Evaluate, stops_at_a_wrong_size_when_told_to) {
  device_.run_answers = {ran(1), failed(Failure::Cause::crash), ran(3)};
  const auto wrong = std::get<Wrong>(evaluate_toy({.repeats = verify_only, .stop_at_wrong = true}));
  ASSERT_EQ(wrong.sizes.size(), 2u);
  EXPECT_EQ(std::get<Failure>(wrong.sizes[1].answer),
            (Failure{Failure::Cause::crash, "it failed"}));
}

TEST_F(Evaluate, nan_is_wrong) {
  device_.run_answers = {ran(NAN), ran(2), ran(3)};
  const auto wrong = std::get<Wrong>(evaluate_toy({.repeats = verify_only}));
  EXPECT_FALSE(wrong.sizes[0].correct());
  EXPECT_TRUE(std::isnan(std::get<Verdict>(wrong.sizes[0].answer).error_value));
}

TEST_F(Evaluate, shows_the_judge_what_the_last_timed_pass_left) {
  auto suspicious = ran(1, {0.1});
  std::get<0>(*suspicious).timed_outputs = one_float(1000);
  device_.run_answers = {suspicious, ran(2), ran(3)};
  EXPECT_TRUE(std::holds_alternative<Wrong>(evaluate_toy({})));
}

TEST_F(Evaluate, puts_the_held_out_size_beside_the_score) {
  device_.run_answers = {ran(1, {0.1}), ran(2, {0.1}), ran(3, {0.1}), ran(8, {10})};
  const auto scored = std::get<Scored>(evaluate_toy({.held_out = true}));
  EXPECT_NEAR(*scored.score, 1, 1e-12);
  ASSERT_TRUE(scored.held_out);
  EXPECT_EQ(scored.held_out->label, "nine");
  EXPECT_FALSE(scored.held_out->correct());
}

TEST_F(Evaluate, rejects_a_source_without_the_tasks_kernel) {
  const auto rejected =
      std::get<Rejected>(evaluate_toy({}, {.kernels = {{.name = "a"}, {.name = "b"}}}));
  EXPECT_EQ(rejected, (Rejected{Rejected::Stage::pipeline,
                                "kernel toy not found; the source has: a, b", true}));
  EXPECT_TRUE(device_.asked.empty());
}

TEST_F(Evaluate, rejects_too_much_threadgroup_memory_only_in_kernels_that_are_used) {
  auto greedy = program;
  greedy.kernels.push_back({.name = "other", .threadgroup_bytes = 40000});
  device_.run_answers = {ran(1), ran(2), ran(3)};
  EXPECT_TRUE(std::holds_alternative<Scored>(evaluate_toy({.repeats = verify_only}, greedy)));
  greedy.kernels[0].threadgroup_bytes = 32769;
  EXPECT_EQ(std::get<Rejected>(evaluate_toy({}, greedy)).stage, Rejected::Stage::pipeline);
}

TEST_F(Evaluate, rejects_what_the_driver_does_not_build) {
  device_.build_answer = failed(Failure::Cause::build);
  EXPECT_EQ(evaluate_toy({}), Outcome(Rejected{Rejected::Stage::pipeline, "it failed"}));
}

TEST_F(Evaluate, a_driver_that_dies_while_it_builds_is_no_verdict) {
  device_.build_answer = failed(Failure::Cause::signal);
  const EvaluationContext context{device_, std::nullopt, cache_};
  const auto evaluation = evaluate(toy, program, context, {});
  ASSERT_FALSE(evaluation);
  EXPECT_EQ(evaluation.error().message, "could not build the kernels of toy: it failed");
}

TEST_F(Evaluate, a_host_that_cannot_make_a_plan_fails_at_that_size) {
  auto capped = program;
  capped.kernels[0].thread_limit = 8;
  const auto wrong = std::get<Wrong>(evaluate_toy({}, capped));
  EXPECT_EQ(std::get<Failure>(wrong.sizes[0].answer),
            (Failure{Failure::Cause::run_time, "division by zero"}));
}

TEST_F(Evaluate, errors_of_the_device_are_no_verdict) {
  device_.run_answers = {Error{"no memory"}};
  const EvaluationContext context{device_, std::nullopt, cache_};
  const auto evaluation = evaluate(toy, program, context, {.repeats = verify_only});
  ASSERT_FALSE(evaluation);
  EXPECT_EQ(evaluation.error().message, "no memory");
}

TEST_F(Evaluate, computes_each_reference_once) {
  const std::filesystem::path folder = testing::TempDir() + "computes_each_reference_once";
  std::filesystem::remove_all(folder);
  Cache cache(folder);
  references_computed = 0;
  for (int i = 0; i < 2; ++i) {
    device_.run_answers = {ran(1), ran(2), ran(3)};
    const EvaluationContext context{device_, std::nullopt, cache};
    const auto evaluation = evaluate(toy, program, context, {.repeats = verify_only});
    ASSERT_TRUE(evaluation);
    EXPECT_TRUE(std::holds_alternative<Scored>(evaluation->outcome));
  }
  EXPECT_EQ(references_computed, 3);
  std::filesystem::remove_all(folder);
}

TEST(GeometricMean, of_nothing_achieved_is_as_good_as_zero_but_defined) {
  EXPECT_NEAR(geometric_mean(std::vector{0.25, 1.0}), 0.5, 1e-12);
  EXPECT_NEAR(geometric_mean(std::vector{0.0, 1.0}), 1e-6, 1e-15);
}

}  // namespace
}  // namespace msci
