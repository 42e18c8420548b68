// Keys, derivations and the strict verdict, with a toy task on a device that answers from a script.
#include <gtest/gtest.h>

#include <cmath>

#include "evaluator/evaluate.h"
#include "evaluator/strict/strict_verdict.h"
#include "tests/fake_device.h"

namespace msci {
namespace {

TEST(KeyedHash, is_siphash_2_4) {
  // The example of the paper's appendix: key 00 01 ... 0f, message 00 01 ... 0e.
  const Key key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::string message;
  for (char c = 0; c < 15; ++c) message += c;
  EXPECT_EQ(keyed_hash(key, message), 0xa129ca6149be45e5U);
}

TEST(KeyOf, differs_by_nonce_size_and_repeat) {
  const Key key = key_of(1, "8x8", 0);
  EXPECT_EQ(key, key_of(1, "8x8", 0));
  for (const Key other : {key_of(2, "8x8", 0), key_of(1, "8x9", 0), key_of(1, "8x8", 1)})
    EXPECT_NE(key, other);
}

TEST(KeyedRandom, are_the_hashes_of_their_numbers) {
  const Key key{3, 4};
  KeyedRandom draws(key);
  for (std::uint64_t number = 0; number < 300; ++number) {
    const std::string_view bytes(reinterpret_cast<const char*>(&number), sizeof number);
    ASSERT_EQ(draws.next(), keyed_hash(key, bytes)) << number;
  }
}

TEST(KeyedRandom, stay_within_their_bounds_and_fill_them) {
  KeyedRandom draws({1, 2});
  double low = 1, high = -1;
  for (int i = 0; i < 1000; ++i) {
    const double value = draws.uniform(-1, 1);
    ASSERT_TRUE(value >= -1 && value < 1);
    low = std::min(low, value);
    high = std::max(high, value);
  }
  EXPECT_LT(low, -0.98);
  EXPECT_GT(high, 0.98);
}

Outputs floats(std::vector<float> values) { return {Bytes::of<float>(values)}; }

TEST(StrictError, is_relative_to_the_largest_expected_value) {
  EXPECT_DOUBLE_EQ(strict_error({{.values = {1, -4}}}, floats({1.5, -4})), 0.125);
}

TEST(StrictError, is_nan_where_an_output_is) {
  EXPECT_TRUE(std::isnan(strict_error({{.values = {1, 2}}}, floats({1, NAN}))));
  EXPECT_EQ(strict_error({{.values = {INFINITY, 2}}}, floats({INFINITY, 3})), 0.5);
  EXPECT_EQ(strict_error({{.values = {INFINITY, 2}}}, floats({-INFINITY, 2})), INFINITY);
  EXPECT_TRUE(std::isnan(strict_error({{.values = {NAN, 2}}}, floats({1, 2}))));
}

TEST(WrongElements, have_errors_in_units_of_what_is_allowed) {
  const Plan plan{.buffers = {{.name = "x"}, {.name = "y"}}, .results = {0, 1}};
  const std::vector<Expected> expected = {{.values = {1, 2}}, {.values = {1, -4, 3}}};
  const Outputs got = {Bytes::of<float>(std::vector<float>{1, 2}),
                       Bytes::of<float>(std::vector<float>{1.25F, -4, NAN})};
  const auto wrong = wrong_elements(plan, expected, got, 0.125);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->result, 1U);
  EXPECT_EQ(wrong->errors[0], 0.5);
  EXPECT_EQ(wrong->errors[1], 0);
  EXPECT_TRUE(std::isnan(wrong->errors[2]));
  EXPECT_EQ(wrong->first, std::vector<std::string>{"y[2] is NaN, not 3"});
  EXPECT_FALSE(wrong_elements(plan, expected,
                              {got[0], Bytes::of<float>(std::vector<float>{1, -4, 3})}, 0.125));
}

TEST(StrictError, leaves_out_what_rounding_decides) {
  EXPECT_EQ(strict_error({{.values = {1, 2}, .undecided = {true, false}}}, floats({9, 2})), 0);
}

TEST(StrictError, compares_points_without_their_fourth_value) {
  const Expected points{Expected::Element::point, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(strict_error({points}, floats({1, 2, 3, NAN, 4, 5, 6, 7})), 0);
  EXPECT_EQ(strict_error({points}, floats({1, 2, 3, 0, 4, 5, 9, 0})), 0.5);
}

TEST(StrictError, takes_the_worst_result) {
  EXPECT_EQ(strict_error({{.values = {1}}, {.values = {2}}}, {Bytes::of<float>(std::vector{1.0F}),
                                                              Bytes::of<float>(std::vector{3.0F})}),
            0.5);
}

TEST(StrictDifferences, name_the_first_element_beyond_the_tolerance) {
  const Plan plan{.buffers = {{.name = "in"}, {.name = "y"}, {.name = "p"}}, .results = {1, 2}};
  const std::vector<Expected> expected = {{.values = {1, -4}},
                                          {Expected::Element::point, {1, 2, 3, 4, 5, 6}}};
  const auto y = Bytes::of<float>(std::vector{1.0F, -4.0F});
  const auto p = Bytes::of<float>(std::vector<float>{1, 2, 3, 0, 4, NAN, 9, 0});
  EXPECT_EQ(strict_differences(plan, expected, {y, p}, 0.25),
            (Differences{6, 2, 1, "p[1].y is NaN, not 5"}));
  EXPECT_EQ(strict_differences(plan, {expected[0]}, {y}, 0.25), std::nullopt);
  // Relative to the largest value, as the error is.
  EXPECT_EQ(strict_differences(plan, {expected[0]}, floats({1.5, -3.5}), 0.1),
            (Differences{2, 2, 0, "y[0] is 1.5, not 1"}));
  EXPECT_EQ(strict_differences(plan, {expected[0]}, floats({1.5, -4}), 0.125), std::nullopt);
}

TEST(StrictDifferences, compare_exact_results_bit_by_bit) {
  const Plan plan{.buffers = {{.name = "h"}}, .results = {0}};
  const std::vector<unsigned> wanted{5, 6}, got{5, 7};
  const Expected expected{.element = Expected::Element::exact,
                          .values = {},
                          .type = "uint",
                          .contents = Bytes::of<unsigned>(wanted)};
  EXPECT_EQ(strict_differences(plan, {expected}, {Bytes::of<unsigned>(got)}, 0),
            (Differences{2, 1, 0, "h[1] is 7, not 6"}));
}

const Derivation example{.device = "d",
                         .factor = 32,
                         .sizes = {{.label = "s", .errors = {1e-7, 2e-7}, .tolerance = 0.1}},
                         .recorded = {{.label = "one", .error = 1e-3}}};

TEST(Derivation, comes_back_from_its_json) {
  const auto again = derivation_from(to_json(example));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, example);
  EXPECT_EQ(again->tolerance_of("s"), 0.1);
  EXPECT_FALSE(again->tolerance_of("t"));
}

TEST(Derivation, is_not_made_of_anything_else) {
  for (const auto* text : {"", "{", "{}", "[1]", R"({"device": 1, "factor": 2, "sizes": []})"})
    EXPECT_FALSE(derivation_from(text)) << text;
}

// --- A task whose one float must be 2

Result<Plan> stress_plan(const Size&, const Translation&, Key key) {
  Plan plan;
  plan.add_scalar("key", key);
  plan.results = {plan.add({.name = "out", .bytes = sizeof(float), .poison = true})};
  return plan;
}

const std::string derivation = to_json(example);

const Task toy{
    .name = "toy",
    .kernels = {{.name = "toy"}},
    .sizes = {{"one", {{"n", 1}}}},
    .plan = [](const Size& size,
               const Translation& program) { return stress_plan(size, program, {}); },
    .reference = [](const Size&) { return Bytes{}; },
    .judge =
        [](const Size&, const Bytes&, const Outputs& output, const Outputs&) {
          return Verdict{output[0].as<float>()[0] > 1, 0, "toy", std::nullopt};
        },
    .work = [](const Size&) { return 1e9; },
    .stress = {.sizes = {{"s", {{"n", 1}}}},
               .plan = stress_plan,
               .reference = [](const Size&, Key) { return std::vector{Expected{.values = {2}}}; }},
    .derivation = derivation};

const Translation program{.kernels = {{.name = "toy", .symbol = "toy"}}};

Result<Attempt<msci::Run>> ran(float timed, float verified,
                               std::vector<std::string> overruns = {}) {
  return Attempt<msci::Run>{Run{.outputs = floats({verified}),
                                .timed_outputs = floats({timed}),
                                .seconds = {0.1},
                                .overruns = std::move(overruns)}};
}

class StrictVerdict : public testing::Test {
 protected:
  // The recorded size gets the first answer, the stress size the second; what runs after that is
  // ablation, to which nothing is right.
  Evaluation evaluate_toy(Result<Attempt<msci::Run>> recorded, Result<Attempt<msci::Run>> stress) {
    device_.run_answers = {std::move(recorded), std::move(stress), ran(0, 0)};
    const EvaluationContext context{.device = device_, .cache = cache_};
    auto evaluation = evaluate(toy, program, context, {.strict_nonce = 7});
    EXPECT_TRUE(evaluation) << evaluation.error().message;
    return evaluation ? *std::move(evaluation) : Evaluation{};
  }

  FakeDevice device_;
  Cache cache_{std::nullopt};
};

TEST_F(StrictVerdict, passes_what_is_within_the_derived_tolerance) {
  const auto evaluation = evaluate_toy(ran(2, 2), ran(2, 2.1F));
  ASSERT_TRUE(evaluation.strict);
  EXPECT_TRUE(evaluation.strict->passed);
  EXPECT_EQ(evaluation.strict->nonce, 7U);
  EXPECT_NEAR(std::get<Verdict>(evaluation.strict->sizes.at(0).answer).error_value, 0.05, 1e-6);
}

TEST_F(StrictVerdict, refuses_what_only_the_recorded_verdict_lets_through) {
  const auto evaluation = evaluate_toy(ran(2, 2), ran(2, 3));
  EXPECT_TRUE(std::holds_alternative<Scored>(evaluation.outcome));
  EXPECT_FALSE(evaluation.strict->passed);
}

TEST_F(StrictVerdict, looks_at_the_timed_pass_as_well) {
  EXPECT_FALSE(evaluate_toy(ran(2, 2), ran(3, 2)).strict->passed);
  EXPECT_FALSE(evaluate_toy(ran(2, 2), ran(2, NAN)).strict->passed);
}

TEST_F(StrictVerdict, refuses_writes_beside_a_buffer) {
  EXPECT_FALSE(evaluate_toy(ran(2, 2), ran(2, 2, {"out"})).strict->passed);
}

TEST_F(StrictVerdict, refuses_a_kernel_that_fails) {
  EXPECT_FALSE(
      evaluate_toy(ran(2, 2), Attempt<msci::Run>{Failure{Failure::Cause::crash, "it died"}})
          .strict->passed);
}

TEST_F(StrictVerdict, refuses_an_answer_that_depends_on_the_order_of_threads) {
  device_.about.chooses_order = true;
  device_.run_answers = {ran(2, 2), ran(2, 2), ran(3, 3)};
  const EvaluationContext context{.device = device_, .cache = cache_};
  const auto evaluation = evaluate(toy, program, context, {.strict_nonce = 7});
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  ASSERT_TRUE(evaluation->strict);
  EXPECT_FALSE(evaluation->strict->passed);
  EXPECT_FALSE(evaluation->strict->sizes.at(0).correct());
  EXPECT_EQ(evaluation->strict->order_dependence, (OrderDependence{"s", "forward", "reversed"}));
  EXPECT_EQ(to_string(device_.asked.at(1).plan.execution), "forward");
  EXPECT_EQ(to_string(device_.asked.at(2).plan.execution), "reversed");
}

TEST_F(StrictVerdict, accepts_what_is_right_in_all_orders_or_ends_in_some_only) {
  device_.about.chooses_order = true;
  const Attempt<msci::Run> endless{Failure{Failure::Cause::time_out, "too long"}};
  device_.run_answers = {ran(2, 2), ran(2, 2), endless, ran(2, 2), ran(0, 0)};
  const EvaluationContext context{.device = device_, .cache = cache_};
  const auto evaluation = evaluate(toy, program, context, {.strict_nonce = 7});
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  ASSERT_TRUE(evaluation->strict);
  EXPECT_TRUE(evaluation->strict->passed);
  EXPECT_FALSE(evaluation->strict->order_dependence);
  EXPECT_EQ(to_string(device_.asked.at(3).plan.execution), "7");
}

// ---- runs with checked accesses, by a checker that answers from a script

class FakeChecker : public PlanChecker {
 public:
  using Prepared = Result<Attempt<std::monostate>>;
  using Faults = Result<Attempt<FoundFaults>>;

  Prepared prepared = Attempt<std::monostate>{};
  Faults faults = Attempt<FoundFaults>{};

  Prepared prepare() override { return prepared; }
  Faults find_faults(const Plan&) override { return faults; }
};

const Failure refused{Failure::Cause::build, "its checked form is refused: too many places"};

class CheckedRuns : public StrictVerdict {
 protected:
  // The strict verdict on a kernel whose stress size gets that answer.
  StrictResult judge(const Task& task = toy, float stress = 2) {
    device_.run_answers = {ran(stress, stress), ran(0, 0)};
    auto built = device_.build(program);
    EXPECT_TRUE(built);
    auto strict =
        judge_strictly(task, program, device_.about, *std::get<std::unique_ptr<Program>>(*built), 7,
                       {.checker = &checker_});
    EXPECT_TRUE(strict) << strict.error().message;
    return strict ? *std::move(strict) : StrictResult{};
  }

  FakeChecker checker_;
};

TEST_F(CheckedRuns, without_a_fault_the_kernel_passes) {
  const auto strict = judge();
  EXPECT_TRUE(strict.passed);
  EXPECT_EQ(strict.not_checked, std::nullopt);
}

// A race between lanes of a simdgroup decides where they run one after another.
TEST_F(CheckedRuns, a_race_of_a_read_runs_lane_by_lane) {
  device_.about.chooses_order = true;
  checker_.faults = Attempt<FoundFaults>{FoundFaults{.has_other_race = true}};
  const auto judged = [&](float forward, float reversed) {
    device_.asked.clear();
    device_.run_answers = {
        ran(2, 2), ran(2, 2), ran(2, 2), ran(forward, forward), ran(reversed, reversed),
        ran(2, 2), ran(0, 0)};
    auto built = device_.build(program);
    return *judge_strictly(toy, program, device_.about, *std::get<std::unique_ptr<Program>>(*built),
                           7, {.checker = &checker_});
  };
  EXPECT_TRUE(judged(2, 2).passed);
  EXPECT_EQ(to_string(device_.asked.at(3).plan.execution), "lanes:forward");
  const auto strict = judged(2, 3);
  EXPECT_FALSE(strict.passed);
  EXPECT_EQ(strict.order_dependence, (OrderDependence{"s", "forward", "lanes:reversed"}));
}

TEST_F(CheckedRuns, a_kernel_without_a_checked_form_does_not_pass) {
  checker_.prepared = Attempt<std::monostate>{refused};
  const auto strict = judge();
  EXPECT_FALSE(strict.passed);
  EXPECT_EQ(strict.not_checked, refused.message);
  EXPECT_EQ(why_undecided(strict), refused.message);
  EXPECT_EQ(strict_fail_reason(Scored{}, strict), "strict: not checked: " + refused.message);
}

TEST_F(CheckedRuns, nor_does_one_whose_checked_form_we_cannot_make) {
  checker_.prepared = Error{"it takes more than 10 s of processor time"};
  const auto strict = judge();
  EXPECT_FALSE(strict.passed);
  EXPECT_EQ(strict.not_checked, "it takes more than 10 s of processor time");
}

TEST_F(CheckedRuns, nor_does_one_whose_checked_run_fails) {
  checker_.faults = Attempt<FoundFaults>{Failure{Failure::Cause::crash, "it died"}};
  EXPECT_EQ(judge().not_checked, "at size s, it died");
  checker_.faults = Error{"the device lacks memory"};
  const auto strict = judge();
  EXPECT_FALSE(strict.passed);
  EXPECT_EQ(strict.not_checked, "at size s, the device lacks memory");
}

TEST_F(CheckedRuns, nor_does_one_whose_checked_run_has_no_plan) {
  Task task = toy;
  task.stress.plan = [](const Size& size, const Translation& translation, Key key) {
    return key == key_of(7, "s", 3) ? Result<Plan>(Error{"no such size"})
                                    : stress_plan(size, translation, key);
  };
  EXPECT_EQ(judge(task).not_checked, "at size s, no such size");
}

TEST_F(CheckedRuns, a_wrong_kernel_is_wrong_without_them) {
  checker_.prepared = Attempt<std::monostate>{refused};
  const auto strict = judge(toy, 3);
  EXPECT_FALSE(strict.passed);
  EXPECT_EQ(strict.not_checked, refused.message);
  EXPECT_EQ(why_undecided(strict), std::nullopt);
}

TEST_F(CheckedRuns, a_fault_makes_a_kernel_wrong) {
  checker_.faults = Attempt<FoundFaults>{
      FoundFaults{.decisive = {Diagnostic{.id = "check.race", .message = "m"}}}};
  const auto strict = judge();
  EXPECT_FALSE(strict.passed);
  EXPECT_EQ(strict.faults.size(), 1U);
  EXPECT_EQ(why_undecided(strict), std::nullopt);
}

TEST_F(StrictVerdict, ablation_that_has_no_plan_is_an_error) {
  Task task = toy;
  task.stress.plan = [](const Size& size, const Translation& translation, Key key) {
    return key == key_of(7, "s", 2) ? Result<Plan>(Error{"no such size"})
                                    : stress_plan(size, translation, key);
  };
  device_.run_answers = {ran(2, 2), ran(2, 2), ran(0, 0)};
  const auto evaluation =
      evaluate(task, program, {.device = device_, .cache = cache_}, {.strict_nonce = 7});
  ASSERT_FALSE(evaluation);
  EXPECT_EQ(evaluation.error().message, "no such size");
}

TEST_F(StrictVerdict, is_for_kernels_that_are_right) {
  EXPECT_FALSE(evaluate_toy(ran(0, 0), ran(2, 2)).strict);
  EXPECT_EQ(device_.asked.size(), 1U);
}

TEST_F(StrictVerdict, hangs_on_the_nonce_and_poisons_what_is_no_input) {
  evaluate_toy(ran(2, 2), ran(2, 2));
  const auto& plan = device_.asked.at(1).plan;
  Key key;
  std::memcpy(&key, plan.buffers.at(0).initial.data(), sizeof key);
  EXPECT_EQ(key, key_of(7, "s", 0));
  EXPECT_TRUE(plan.buffers.at(1).poison);
}

}  // namespace
}  // namespace msci
