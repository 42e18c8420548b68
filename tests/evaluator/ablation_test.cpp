// What matters, asked of a device that answers from a script.
#include "evaluator/strict/ablation.h"

#include <gtest/gtest.h>

#include "tests/fake_device.h"

namespace msci {
namespace {

// Two kernels and one input.
Plan plan_with(float input) {
  Plan plan;
  const auto in = plan.add_scalar("in", input);
  const auto out = plan.add({.name = "out", .bytes = sizeof(float), .poison = true});
  for (const auto* kernel : {"first", "second"})
    plan.launches.push_back({.kernel = kernel, .bindings = {{0, in, 0}, {1, out, 0}}});
  plan.results = {out};
  return plan;
}

Result<Attempt<msci::Run>> gives(float value) {
  return Attempt<msci::Run>{Run{.outputs = {Bytes::of<float>(std::vector{value})}}};
}

Result<Attempt<msci::Run>> left_its_buffers() {
  return Attempt<msci::Run>{Failure{Failure::Cause::outside, "it left its buffers"}};
}

class Ghosts : public testing::Test {
 protected:
  std::vector<std::string> found() {
    auto built = device_.build({});
    auto& program = *std::get<std::unique_ptr<Program>>(*built);
    const auto irrelevant = find_irrelevant_parts(
        program, plan_with(1), plan_with(2),
        [](const Outputs& outputs) { return outputs.at(0).as<float>()[0] == 7; });
    EXPECT_TRUE(irrelevant) << irrelevant.error().message;
    return irrelevant ? *irrelevant : std::vector<std::string>{"error"};
  }

  FakeDevice device_;
};

TEST_F(Ghosts, are_what_can_go_without_a_change) {
  // In order: with other contents, without each launch, without each kernel.
  device_.run_answers = {gives(7), gives(7), gives(0), gives(7), gives(0)};
  EXPECT_EQ(found(),
            (std::vector<std::string>{"contents of in", "launch 1 of 2 (first)", "kernel first"}));
  ASSERT_EQ(device_.asked.size(), 5U);
  EXPECT_EQ(device_.asked[0].plan.buffers[0].initial, plan_with(2).buffers[0].initial);
  EXPECT_EQ(device_.asked[1].plan.launches.size(), 1U);
  EXPECT_EQ(device_.asked[1].plan.launches[0].kernel, "second");
}

TEST_F(Ghosts, are_not_what_fails_when_it_is_gone) {
  const Result<Attempt<msci::Run>> failure =
      Attempt<msci::Run>{Failure{Failure::Cause::crash, "it died"}};
  device_.run_answers = {failure, failure, failure, failure, failure};
  EXPECT_EQ(found(), std::vector<std::string>{});
}

// A program fails more often without a whole kernel than without one of its launches.
TEST_F(Ghosts, of_launches_are_found_before_a_kernel_is_left_out) {
  device_.run_answers = {gives(0), gives(7), gives(0), left_its_buffers(), gives(7)};
  EXPECT_EQ(found(), std::vector<std::string>{"launch 1 of 2 (first)"});
}

// After a failure, each further run would build the program again.
TEST_F(Ghosts, are_looked_for_until_the_program_fails) {
  device_.run_answers = {gives(7), left_its_buffers(), gives(7), gives(7), gives(7)};
  EXPECT_EQ(found(), std::vector<std::string>{"contents of in"});
  EXPECT_EQ(device_.asked.size(), 2U);
}

}  // namespace
}  // namespace msci
