#include <gtest/gtest.h>

#include <functional>

#include "engine/device/plan_runner.h"

namespace msci {
namespace {

using Clock = Stopping::Clock;

// Passes of those seconds, each as long on the wall; how many were wanted in all.
unsigned passes_until_done(Stopping& stopping, Clock::time_point now,
                           const std::function<double(unsigned)>& seconds_of) {
  unsigned passes = 0;
  while (stopping.wants_another()) {
    const double seconds = seconds_of(passes++);
    now += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    stopping.add(seconds, now);
  }
  return passes;
}

unsigned count(Repeats repeats, const std::function<double(unsigned)>& seconds_of) {
  const Clock::time_point start;
  Stopping stopping(repeats, start);
  return passes_until_done(stopping, start, seconds_of);
}

TEST(Stopping, counts_as_the_benchmark_does) {
  const Clock::time_point start;
  Stopping stopping({.warmup = 3, .timed = 10}, start);
  EXPECT_EQ(passes_until_done(stopping, start, [](unsigned i) { return 1.0 + i; }), 13u);
  ASSERT_EQ(stopping.timed().size(), 10u);
  EXPECT_EQ(stopping.timed().front(), 4);
  EXPECT_EQ(count({.warmup = 0, .timed = 0}, [](unsigned) { return 1; }), 0u);
  EXPECT_EQ(count({.warmup = 2, .timed = 0}, [](unsigned) { return 1; }), 2u);
}

TEST(Stopping, warms_up_by_time_and_until_passes_agree) {
  // 10 ms a pass: 100 ms are ten passes.
  EXPECT_EQ(
      count({.warmup = 3, .timed = 1, .warmup_seconds = 0.0999}, [](unsigned) { return 0.01; }),
      11u);
  // Ten passes of 10 ms, then each is 20 % slower than the last: twice the time is the end of it.
  const auto passes = count({.warmup = 3, .timed = 1, .warmup_seconds = 0.0999},
                            [](unsigned i) { return i % 2 ? 0.01 : 0.012; });
  EXPECT_EQ(passes, 20u) << "19 passes are 0.21 s";
}

TEST(Stopping, times_until_the_mean_is_known) {
  const Repeats repeats{.warmup = 0, .timed = 10, .timed_seconds = 1, .relative_error = 0.01};
  EXPECT_EQ(count(repeats, [](unsigned) { return 0.001; }), 10u) << "they are all alike";
  // Alternating 10 % around the mean: 0.1 / sqrt(n) < 0.01 needs just over a hundred.
  const auto passes = count(repeats, [](unsigned i) { return i % 2 ? 0.0009 : 0.0011; });
  EXPECT_GT(passes, 95u);
  EXPECT_LT(passes, 105u);
}

TEST(Stopping, gives_up_when_its_time_is_spent) {
  const Repeats repeats{.warmup = 0, .timed = 2, .timed_seconds = 1, .relative_error = 1e-9};
  EXPECT_EQ(count(repeats, [](unsigned i) { return i % 2 ? 0.1 : 0.15; }), 8u);
  EXPECT_EQ(count(repeats, [](unsigned i) { return i % 2 ? 1e-9 : 2e-9; }), most_timed_passes);
}

}  // namespace
}  // namespace msci
