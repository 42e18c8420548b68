// A plan on a real OpenCL device, in this process; kernels that misbehave belong to worker_test.
#include "evaluator/device/opencl.h"

#include <gtest/gtest.h>

#include "tests/evaluator/device_tests.h"

namespace msci {
namespace {

TEST(Opencl, runs_a_program_file) {
  auto device = open_opencl_device("");
  ASSERT_TRUE(device) << device.error().message;
  const auto ran =
      attempt(**device, load_program("saxpy"), saxpy_plan(1000), {.warmup = 1, .timed = 3});
  ASSERT_EQ(ran.index(), 0u) << std::get<Failure>(ran).message;
  const auto& run = std::get<0>(ran);
  EXPECT_EQ(run.outputs, saxpy_expected(1000));
  EXPECT_EQ(run.timed_outputs, run.outputs);
  ASSERT_EQ(run.seconds.size(), 3u);
  for (const auto seconds : run.seconds) EXPECT_GT(seconds, 0);
  EXPECT_TRUE(run.overruns.empty());
}

}  // namespace
}  // namespace msci
