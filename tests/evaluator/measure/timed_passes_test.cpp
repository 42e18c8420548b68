// Timed passes: what they are prepared with, and what their results are compared with.
#include "evaluator/measure/timed_passes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/device/plan_buffers.h"

namespace msci {
namespace {

// y = 2 x, of four floats; the right answer is 2 for each.
PlanBuffer floats_of(std::string name, float value) {
  const std::vector<float> values(4, value);
  return {.name = std::move(name), .bytes = 16, .initial = Bytes::of<float>(values)};
}

Plan plan_of(float x, PlanBuffer y) {
  Plan plan;
  plan.add(floats_of("x", x));
  plan.results = {plan.add(std::move(y))};
  return plan;
}

const std::string tolerances =
    to_json({.device = "d",
             .factor = 32,
             .sizes = {},
             .whole = {{.label = "one", .errors = {1e-7}, .tolerance = 1e-3}}});

const Task doubling{
    .name = "doubling",
    .kernels = {{.name = "double",
                 .arguments = {{0, "device const float *", "x", ""},
                               {1, "device float *", "y", ""}}}},
    .sizes = {{"one", {{"n", 4}}}, {"two", {{"n", 4}}}},
    .judge =
        [](const Size&, const Bytes&, const Outputs& output, const Outputs&) {
          return Verdict{
              .correct = output[0].as<float>()[0] == 6, .error_value = 1, .error_kind = "e"};
        },
    .stress = {.sizes = {{"s", {{"n", 4}}}},
               .plan = [](const Size&, const Translation&, Key) -> Result<Plan> {
                 auto plan = plan_of(1, {.name = "y", .bytes = 16, .poison = true});
                 plan.results.insert(plan.results.begin(), 0);  // x, too, before y
                 return plan;
               },
               .reference =
                   [](const Size&, Key) {
                     return std::vector{Expected{.values = std::vector<double>(4, 1)},
                                        Expected{.values = std::vector<double>(4, 2)}};
                   }},
    .derivation = tolerances};

Plan prepared(TimedPasses& passes) {
  auto plan = plan_of(3, {.name = "y", .bytes = 16});
  const auto error = passes.prepare({}, plan);
  EXPECT_FALSE(error) << error->message;
  return plan;
}

Outputs outputs_of(float x, float y) {
  return {Bytes{floats_of("", y).initial}, Bytes{floats_of("", x).initial}};
}

// A run whose passes with the plan's own inputs are right, and whose others leave that in y.
Run run_with(float y) {
  return {.outputs = outputs_of(3, 6), .variants = {{2, outputs_of(1, y)}}, .seconds = {1}};
}

TEST(TimedPasses, have_junk_where_the_stress_problem_has_it_but_not_beside_recorded_inputs) {
  TimedPasses passes(doubling, doubling.sizes[0], 1);
  const auto plan = prepared(passes);
  EXPECT_EQ(plan.variants, 7U);
  EXPECT_EQ(plan.buffers[0].variants.size(), 7U);
  EXPECT_TRUE(plan.buffers[1].initial.empty()) << "zeros, as in the benchmark";
  ASSERT_EQ(plan.buffers[1].variants.size(), 7U);
  for (const auto& contents : plan.buffers[1].variants) {
    EXPECT_EQ(contents.size(), 16U);
    EXPECT_NE(std::ranges::find(junk_bytes, std::to_integer<unsigned char>(contents[0])),
              junk_bytes.end());
  }
  EXPECT_EQ(plan.results, (std::vector<std::size_t>{1, 0})) << "y, as planned, then x";
}

TEST(TimedPasses, are_wrong_if_one_with_random_inputs_has_another_answer) {
  TimedPasses passes(doubling, doubling.sizes[0], 1);
  const auto plan = prepared(passes);
  EXPECT_EQ(*passes.find_wrong(plan, {}, run_with(2)), std::nullopt);
  const auto wrong = *passes.find_wrong(plan, {}, run_with(2.5));
  EXPECT_EQ(wrong, "a timed pass with random inputs is off by 2.500e-01");
}

// With 120 MiB of x.
Plan large_plan() {
  Plan plan = plan_of(3, {.name = "y", .bytes = 16});
  plan.add({.name = "more", .bytes = 120 << 20, .initial = std::vector<std::byte>(120 << 20)});
  return plan;
}

TEST(TimedPasses, have_random_inputs_however_large_the_plan_is) {
  TimedPasses passes(doubling, doubling.sizes[0], 1);
  auto plan = large_plan();
  EXPECT_FALSE(passes.prepare({}, plan));
  EXPECT_EQ(plan.variants, 1U);
  EXPECT_EQ(plan.buffers[0].variants.size(), 1U);
}

TEST(TimedPasses, are_not_judged_where_random_inputs_cannot_be_made) {
  auto task = doubling;
  task.stress.plan = [](const Size&, const Translation&, Key) -> Result<Plan> {
    return Error{"no such texture"};
  };
  TimedPasses passes(task, task.sizes[0], 1);
  auto plan = plan_of(3, {.name = "y", .bytes = 16});
  const auto error = passes.prepare({}, plan);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message,
            "time not judged at size one: there are no random inputs: no such texture");
}

TEST(TimedPasses, are_judged_by_the_tolerance_of_random_sizes_where_none_was_derived) {
  TimedPasses passes(doubling, doubling.sizes[1], 1);
  const auto plan = prepared(passes);
  EXPECT_EQ(*passes.find_wrong(plan, {}, run_with(2.007F)), std::nullopt) << "4 times 1e-3 of 2";
  EXPECT_TRUE(*passes.find_wrong(plan, {}, run_with(2.5)));
}

TEST(TimedPasses, are_wrong_if_any_set_of_inputs_has_another_answer) {
  TimedPasses passes(doubling, doubling.sizes[0], 1);
  const auto plan = prepared(passes);
  auto run = run_with(2);
  for (const std::size_t variant : {3, 5, 6, 7})
    run.variants.push_back({variant, outputs_of(1, variant == 6 ? 2.5F : 2)});
  EXPECT_EQ(*passes.find_wrong(plan, {}, run),
            "a timed pass with random inputs is off by 2.500e-01");
}

TEST(TimedPasses, are_wrong_if_one_deviates_from_the_untimed_pass) {
  TimedPasses passes(doubling, doubling.sizes[1], 1);
  auto run = run_with(2);
  run.deviations = {{2, outputs_of(1, 4)}};
  const auto wrong = *passes.find_wrong(prepared(passes), {}, run);
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(wrong->starts_with("a timed pass with other inputs is wrong: ")) << *wrong;
}

}  // namespace
}  // namespace msci
