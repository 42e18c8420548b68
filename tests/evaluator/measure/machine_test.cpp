// How busy the processors are.
#include <gtest/gtest.h>

#include "evaluator/measure/roofline.h"

namespace msci {
namespace {

TEST(ProcessorTimes, are_read_from_the_line_of_all_processors) {
  const auto times =
      processor_times_in("cpu  100 20 3 4000 50 6 7 8 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
  ASSERT_TRUE(times);
  EXPECT_EQ(times->busy, 100 + 20 + 3 + 6 + 7 + 8);
  EXPECT_EQ(times->stolen, 8);
  EXPECT_EQ(times->idle, 4050);
  EXPECT_FALSE(processor_times_in("intr 5"));
  EXPECT_FALSE(processor_times_in(""));
}

TEST(ProcessorTimes, tell_a_load_from_a_tick) {
  const ProcessorTimes start{.busy = 1000, .stolen = 10, .idle = 5000};
  const auto busy_after = [&](double busy, double stolen, double idle) {
    return was_busy_between(start, {start.busy + busy, start.stolen + stolen, start.idle + idle});
  };
  EXPECT_FALSE(busy_after(0, 0, 10));
  EXPECT_FALSE(busy_after(1, 0, 9)) << "one tick is chance";
  EXPECT_FALSE(busy_after(50, 0, 950));
  EXPECT_TRUE(busy_after(5, 0, 5)) << "one of two processors is busy";
  EXPECT_TRUE(busy_after(10, 0, 0));
  EXPECT_TRUE(busy_after(40, 40, 960)) << "a hypervisor takes what it promised";
}

}  // namespace
}  // namespace msci
