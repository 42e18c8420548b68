// The model of Apple's GPUs, on launches made by hand.
#include <gtest/gtest.h>

#include "analysis/profile/advice.h"
#include "analysis/profile/claim.h"
#include "analysis/profile/moved_counters.h"
#include "evaluator/profile/profiled_run.h"

namespace msci {
namespace {

const Chip& m1_pro() { return **find_chip("m1-pro"); }

// Many threadgroups of 256 threads that only add.
LaunchProfile additions(double count) {
  LaunchProfile launch{.kernel = "k", .groups = 10000, .simdgroups = 8, .active_lanes = 32};
  launch.work[static_cast<std::size_t>(WorkKind::float_add)] = count;
  launch.registers = 20;
  return launch;
}

double seconds(const LaunchProfile& launch) {
  return predict(launch, m1_pro(), m1_pro_constants).seconds;
}

TEST(Prediction, registers_and_threadgroup_memory_limit_what_a_core_holds) {
  EXPECT_EQ(occupancy_of(20, 0, 8).simdgroups, 96U);
  EXPECT_EQ(occupancy_of(104, 0, 8).simdgroups, 32U);
  EXPECT_EQ(occupancy_of(256, 0, 4).simdgroups, 12U);
  EXPECT_EQ(occupancy_of(256, 0, 4).limit, Occupancy::Limit::registers);
  EXPECT_EQ(occupancy_of(20, 30000, 8).groups, 2U);
  EXPECT_EQ(occupancy_of(20, 30000, 8).limit, Occupancy::Limit::threadgroup_memory);
  EXPECT_EQ(occupancy_of(256, 32768, 32).groups, 1U);  // a core runs every kernel
}

TEST(Prediction, a_thread_limit_takes_registers) {
  EXPECT_EQ(registers_allowed(0), 256U);
  EXPECT_EQ(registers_allowed(1024), 104U);
  EXPECT_EQ(registers_allowed(512), 208U);
  EXPECT_EQ(registers_allowed(256), 256U);
}

// Apple's compiler gives no fewer registers than are live, and at most what a thread can have.
TEST(Prediction, registers_are_an_interval) {
  EXPECT_EQ(register_interval(90).low, 90U);
  EXPECT_EQ(register_interval(90).high, 162U);
  EXPECT_EQ(register_interval(1354).low, 256U);
  EXPECT_EQ(register_interval(1354).high, 256U);
  EXPECT_EQ(register_interval(150, 1024).low, 104U) << "as many as 1,024 threads leave";
  EXPECT_EQ(register_interval(150, 1024).high, 104U);
}

// Kernels whose unrolled rounds exceed the instruction cache many times over run at full rate.
TEST(Prediction, the_length_of_a_loop_costs_nothing) {
  auto launch = additions(40000);
  launch.loop_instructions = 4000;
  EXPECT_DOUBLE_EQ(seconds(launch), seconds(additions(40000)));
}

TEST(Prediction, additions_take_the_time_of_the_schedulers) {
  const double adds = 4000;
  const double all = 10000.0 * 8 * adds;
  const double least = all / (m1_pro().cores * schedulers * m1_pro().clock);
  EXPECT_GT(seconds(additions(adds)), least);
  EXPECT_LT(seconds(additions(adds)), 1.3 * least);
  EXPECT_EQ(predict(additions(adds), m1_pro(), m1_pro_constants).bound(), Bound::instructions);
}

TEST(Prediction, another_chip_scales_with_its_cores) {
  const auto launch = additions(4000);
  const double max = predict(launch, **find_chip("m1-max"), m1_pro_constants).seconds;
  EXPECT_NEAR(seconds(launch) / max, 32.0 / 14, 0.1);
}

TEST(Prediction, spills_take_time_and_are_named) {
  auto launch = additions(100);
  launch.registers = 200;
  const double without = seconds(launch);
  launch.thread_limit = 1024;
  launch.work[static_cast<std::size_t>(WorkKind::private_access)] = 2400;
  EXPECT_GT(seconds(launch), 2 * without);
  const auto advice = advice_on(launch, predict(launch, m1_pro(), m1_pro_constants));
  EXPECT_NE(advice.find("spilled registers: about 200 of 16 bits are live"), std::string::npos)
      << advice;
}

TEST(Prediction, has_the_seconds_without_spills_and_with_all_values_in_registers) {
  const auto in_registers = [](const LaunchProfile& launch) {
    return predict(launch, m1_pro(), m1_pro_constants).seconds_in_registers;
  };
  auto launch = additions(1000);
  launch.chain = 20000;
  const double seconds_of_few = seconds(launch);
  EXPECT_DOUBLE_EQ(in_registers(launch), seconds_of_few);
  launch.registers = 256;
  launch.work[static_cast<std::size_t>(WorkKind::private_access)] = 2400;
  EXPECT_GT(seconds(launch), 1.5 * seconds_of_few);
  EXPECT_DOUBLE_EQ(in_registers(launch), seconds_of_few);
  const Profile pass{{launch}};
  const auto predicted = predict(pass, m1_pro());
  EXPECT_GT(predicted.seconds, predicted.seconds_in_registers);
  EXPECT_DOUBLE_EQ(predicted_pass(pass, predicted, {}).in_registers,
                   predicted.seconds_in_registers / predicted.seconds);
}

TEST(Prediction, bank_conflicts_are_named_with_their_line) {
  auto launch = additions(100);
  launch.bank_cycles = 8000;
  launch.lines = {{.line = 3, .bank_cycles = 10, .least_bank_cycles = 10},
                  {.line = 41, .bank_cycles = 800, .least_bank_cycles = 100}};
  const auto advice = advice_on(launch, predict(launch, m1_pro(), m1_pro_constants));
  EXPECT_NE(advice.find("bound by threadgroup memory: 7.4 turns"), std::string::npos) << advice;
  EXPECT_NE(advice.find("line 41"), std::string::npos) << advice;
}

TEST(Prediction, few_threads_are_bound_by_latency) {
  auto launch = additions(1000);
  launch.groups = 2;
  launch.chain = 66000;
  EXPECT_EQ(predict(launch, m1_pro(), m1_pro_constants).bound(), Bound::latency);
}

PredictedPass pass_with(double seconds, Bound bound = Bound::instructions) {
  PredictedPass pass{.seconds = seconds};
  pass.parts[static_cast<std::size_t>(bound)] = 1;
  return pass;
}

Claim claim_of(const PredictedPass& candidate, const PredictedPass& rival) {
  return msci::claim_of(std::span(&candidate, 1), std::span(&rival, 1));
}

TEST(Claim, an_interval_of_a_ratio_is_narrower_than_that_of_two_times) {
  const auto ratio = claim_of(pass_with(1), pass_with(2)).interval;
  EXPECT_LT(ratio.low, 2);
  EXPECT_GT(ratio.high, 2);
  EXPECT_NEAR(ratio.low * ratio.high, 4, 1e-9);
  const auto time = interval_of(pass_with(1));
  EXPECT_LT(ratio.high / ratio.low, (time.high / time.low) * (time.high / time.low));
}

TEST(Claim, is_made_from_a_ratio_on_that_is_larger_than_the_errors) {
  EXPECT_EQ(claim_of(pass_with(1), pass_with(1)).kind, ClaimKind::none);
  EXPECT_NE(claim_of(pass_with(1), pass_with(1.01)).reason.find("too close"), std::string::npos);
  const auto faster = claim_of(pass_with(1), pass_with(10));
  EXPECT_EQ(faster.kind, ClaimKind::faster);
  EXPECT_GT(faster.confidence, 0.9);
  EXPECT_EQ(claim_of(pass_with(10), pass_with(1)).kind, ClaimKind::slower);
}

PredictedPass pass_in_registers(double seconds, double in_registers) {
  auto pass = pass_with(seconds, Bound::spills);
  pass.in_registers = in_registers;
  return pass;
}

// Apple's compiler alone decides what lies in memory.
TEST(Claim, is_made_only_where_registers_do_not_decide) {
  const auto claim = claim_of(pass_with(1), pass_in_registers(4, 0.1));
  EXPECT_EQ(claim.kind, ClaimKind::none);
  EXPECT_EQ(claim.doubt, Doubt::registers);
  EXPECT_EQ(claim.confidence, 0.5);
  EXPECT_NE(claim.reason.find("the ratio is 4.00, and 0.40 if"), std::string::npos) << claim.reason;
  EXPECT_LT(claim.interval.low, 0.4);
  EXPECT_GT(claim.interval.high, 4);
  const auto close = claim_of(pass_with(1), pass_in_registers(4, 0.26));
  EXPECT_EQ(close.doubt, Doubt::registers);
  const auto either = claim_of(pass_with(1), pass_in_registers(4, 0.5));
  EXPECT_EQ(either.kind, ClaimKind::faster);
  EXPECT_EQ(either.doubt, Doubt::none);
  EXPECT_EQ(either.confidence, claim_of(pass_with(1), pass_with(2)).confidence);
  EXPECT_EQ(claim_of(pass_in_registers(4, 0.5), pass_with(1)).kind, ClaimKind::slower);
  EXPECT_EQ(claim_of(pass_in_registers(4, 0.1), pass_in_registers(8, 0.1)).kind, ClaimKind::faster);
}

TEST(Claim, is_not_made_of_a_pass_that_is_unlike_what_was_measured) {
  auto unlike = pass_with(1);
  unlike.unlike = "exponential takes 60 % of its time";
  const auto claim = claim_of(unlike, pass_with(100));
  EXPECT_EQ(claim.kind, ClaimKind::none);
  EXPECT_EQ(claim.doubt, Doubt::unlike);
  EXPECT_NE(claim.reason.find("exponential"), std::string::npos);
}

// Two launches of different bounds: a cold one that waits, and a warm one that computes.
LaunchProfile waiting() {
  auto launch = additions(1000);
  launch.groups = 2;
  launch.chain = 66000;
  return launch;
}

Profile pass_of(std::vector<LaunchProfile> launches) { return {std::move(launches)}; }

TEST(Prediction, a_launch_counts_as_often_as_it_stands_for_equal_ones) {
  auto many = additions(30);
  many.weight = 47;
  const auto sampled = predict(pass_of({waiting(), waiting(), waiting(), many}), m1_pro());
  ASSERT_EQ(sampled.launches[0].bound(), Bound::latency);
  ASSERT_EQ(sampled.launches[3].bound(), Bound::instructions);
  ASSERT_GT(3 * sampled.launches[0].seconds, sampled.launches[3].seconds);
  ASSERT_LT(3 * sampled.launches[0].seconds, 47 * sampled.launches[3].seconds);
  EXPECT_EQ(sampled.bound(), Bound::instructions);

  std::vector<LaunchProfile> each(3, waiting());
  each.insert(each.end(), 47, additions(30));
  const auto counted = predict(pass_of(std::move(each)), m1_pro());
  EXPECT_EQ(counted.bound(), sampled.bound());
  EXPECT_NEAR(counted.seconds, sampled.seconds, 1e-12);
}

TEST(Prediction, only_the_clock_of_the_cores_ramps_up) {
  auto copy = additions(1);
  copy.buffer_bytes = std::size_t{1} << 30;
  copy.first_loads = copy.first_stores = 100;
  const auto memory = predict(pass_of({copy}), m1_pro());
  ASSERT_EQ(memory.bound(), Bound::memory);
  EXPECT_EQ(memory.seconds, memory.launches[0].seconds);
  const auto computing = predict(pass_of({additions(4000)}), m1_pro());
  EXPECT_GT(computing.seconds, computing.launches[0].seconds);
}

// A chip has its own ceilings: its title must not lead to another one's, as "Apple M3 Ultra" would
// lead to the M3 in the benchmark's table.
TEST(Prediction, the_fraction_is_of_the_chips_own_ceiling) {
  const Task task{
      .name = "toy", .ceiling = Ceiling::compute, .work = [](const Size&) { return 1e9; }};
  const auto& known = **find_chip("m1-max");
  auto renamed = known;
  renamed.title = "Apple M3 Ultra";
  const auto profile = pass_of({additions(4000)});
  const auto expected = predict_pass(task, {}, profile, known);
  EXPECT_GT(expected.fraction, 0);
  EXPECT_EQ(predict_pass(task, {}, profile, renamed).fraction, expected.fraction);
}

PredictedPass predicted(const LaunchProfile& launch) {
  const Profile pass{{launch}};
  return predicted_pass(pass, predict(pass, m1_pro()), m1_pro_calibration.range);
}

// What the counts of some threadgroups cannot tell, the prediction does not claim to know.
TEST(Claim, is_not_made_where_counts_are_uncertain) {
  auto launch = additions(2000);
  launch.work[static_cast<std::size_t>(WorkKind::integer)] = 2000;
  ASSERT_EQ(predicted(launch).unlike, "");
  launch.count_error = 0.5;
  EXPECT_NE(predicted(launch).unlike.find("may be off by 50 %"), std::string::npos);
  launch.count_error = 0;
  launch.is_after_gap = true;
  EXPECT_NE(predicted(launch).unlike, "");
}

TEST(FittedRange, is_left_by_a_pass_that_spends_its_time_as_no_recorded_one_does) {
  const auto extrapolated = [](const LaunchProfile& launch) {
    return !predicted(launch).unlike.empty();
  };
  auto usual = additions(2000);
  usual.work[static_cast<std::size_t>(WorkKind::integer)] = 2000;
  EXPECT_FALSE(extrapolated(usual));
  auto powers = usual;  // no recorded kernel computes many
  powers.work[static_cast<std::size_t>(WorkKind::exponential)] = 2000;
  EXPECT_TRUE(extrapolated(powers));
  auto atomics = usual;
  atomics.atomic_turns = 1000;
  EXPECT_TRUE(extrapolated(atomics));
}

TEST(Prediction, covers_all_chips_of_the_benchmark) {
  for (const auto& chip : chips()) {
    // 128 units of a core add and multiply in a cycle. The benchmark's ceiling of the M3 Max is
    // higher than what its 30 cores reach, and the ceiling of the M1 Max is lower.
    const double flops = 256 * chip.cores * chip.clock;
    EXPECT_GE(flops, 0.85 * chip.peak_flops) << chip.name;
    EXPECT_LE(flops, 1.4 * chip.peak_flops) << chip.name;
  }
}

TEST(MovedCounters, name_what_differs_and_what_explains_the_time_first) {
  const Profile rival{{additions(4000)}};
  EXPECT_TRUE(moved_counters(rival, rival, m1_pro()).empty());
  auto fewer = additions(1000);
  fewer.first_loads = 0.01;
  const auto moved = moved_counters(Profile{{fewer}}, rival, m1_pro());
  ASSERT_EQ(moved.size(), 2U);
  EXPECT_EQ(moved[0], (MovedCounter{"instructions", 1000 * 80000.0, 4000 * 80000.0}));
  EXPECT_EQ(moved[1], (MovedCounter{"first_loads", 800, 0}));
}

TEST(Prediction, an_unknown_chip_lists_the_known_ones) {
  const auto chip = find_chip("h100");
  ASSERT_FALSE(chip);
  EXPECT_NE(chip.error().message.find("m1-pro"), std::string::npos);
}

}  // namespace
}  // namespace msci
