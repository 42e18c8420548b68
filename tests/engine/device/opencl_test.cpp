// Plans on a real OpenCL device, in this process. worker_test has the kernels that crash or hang.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <optional>

#include "engine/device/opencl/opencl_device.h"
#include "tests/engine/device/device_tests.h"
#include "tests/support/folder.h"

namespace msci {
namespace {

// PoCL 3.1 aborts now and then if another process builds the same program into the same cache, so
// this process has its own.
class OwnDriverCache : public testing::Environment {
 public:
  void SetUp() override {
    folder_.emplace();
    ::setenv("POCL_CACHE_DIR", folder_->path().c_str(), 1);
  }
  void TearDown() override { folder_.reset(); }

 private:
  std::optional<Folder> folder_;
};

[[maybe_unused]] const auto* const own_driver_cache =
    testing::AddGlobalTestEnvironment(new OwnDriverCache);

// The run; a Failure fails the test.
msci::Run expect_run(const Translation& translation, const Plan& plan,
                     Repeats repeats = verify_only) {
  auto device = open_opencl_device(0);
  EXPECT_TRUE(device) << device.error().message;
  const auto ran = attempt(**device, translation, plan, repeats);
  if (const auto* run = std::get_if<msci::Run>(&ran)) return *run;
  ADD_FAILURE() << std::get<Failure>(ran).message;
  return {};
}

Failure expect_failure(const Translation& translation, const Plan& plan) {
  auto device = open_opencl_device(0);
  EXPECT_TRUE(device) << device.error().message;
  const auto ran = attempt(**device, translation, plan);
  if (const auto* failure = std::get_if<Failure>(&ran)) return *failure;
  ADD_FAILURE() << "it ran";
  return {};
}

TEST(Opencl, runs_a_program_file) {
  const auto run = expect_run(load_program("saxpy"), saxpy_plan(1000), {.warmup = 1, .timed = 3});
  EXPECT_EQ(run.outputs, saxpy_expected(1000));
  EXPECT_EQ(run.timed_outputs, run.outputs);  // so every pass began with the same y
  ASSERT_EQ(run.seconds.size(), 3u);
  for (const auto seconds : run.seconds) EXPECT_GT(seconds, 0);
  EXPECT_TRUE(run.overruns.empty());
}

TEST(Opencl, times_nothing_when_only_verifying) {
  const auto run = expect_run(load_program("saxpy"), saxpy_plan(1000));
  EXPECT_EQ(run.outputs, saxpy_expected(1000));
  EXPECT_FALSE(run.timed_outputs);
  EXPECT_TRUE(run.seconds.empty());
}

TEST(Opencl, keeps_what_is_not_reset_from_pass_to_pass) {
  auto plan = saxpy_plan(100);
  plan.buffers[1].reset = false;
  const auto run = expect_run(load_program("saxpy"), plan, {.warmup = 1, .timed = 2});
  // Chance decides which of the two timed passes is inspected.
  const Outputs first{Bytes::of<float>(ramp(100, 3 + 2 * 2))};
  const Outputs second{Bytes::of<float>(ramp(100, 3 + 3 * 2))};
  EXPECT_TRUE(run.timed_outputs == first || run.timed_outputs == second);
  EXPECT_EQ(run.outputs, Outputs{Bytes::of<float>(ramp(100, 3 + 4 * 2))});
}

TEST(Opencl, fills_buffers_without_contents_with_zeros) {
  auto plan = saxpy_plan(100);
  plan.buffers[1].initial = {};
  EXPECT_EQ(expect_run(load_program("saxpy"), plan).outputs,
            Outputs{Bytes::of<float>(ramp(100, 2))});
}

TEST(Opencl, binds_at_an_offset) {
  auto plan = saxpy_plan(100);
  const unsigned counts[] = {7, 50};
  plan.buffers[3] = {.name = "N", .bytes = 8, .initial = Bytes::of<unsigned>(counts)};
  plan.launches[0].bindings[3].offset = 4;
  auto expected = ramp(100, 3);
  for (unsigned i = 0; i < 50; ++i) expected[i] += 2 * static_cast<float>(i);
  EXPECT_EQ(expect_run(load_program("saxpy"), plan).outputs, Outputs{Bytes::of<float>(expected)});
}

TEST(Opencl, promises_that_buffers_are_different_only_where_they_are) {
  const auto tell = saxpy_like(R"(
#ifdef MSCI_RESTRICT
  if (i < n) y[i] = 1;
#else
  if (i < n) y[i] = 2;
#endif)");
  auto plan = saxpy_plan(100);
  EXPECT_EQ(expect_run(tell, plan).outputs, Outputs{Bytes::of<float>(std::vector(100, 1.0f))});
  plan.launches[0].bindings[0].buffer = plan.launches[0].bindings[1].buffer;
  EXPECT_EQ(expect_run(tell, plan).outputs, Outputs{Bytes::of<float>(std::vector(100, 2.0f))});
}

TEST(Opencl, each_launch_sees_the_writes_of_those_before_it) {
  auto plan = saxpy_plan(100);
  const auto z = plan.add({.name = "z", .bytes = 400});
  plan.launches.push_back(plan.launches[0]);
  plan.launches[1].bindings[0] = {0, 1};  // x is what the first launch wrote to y
  plan.launches[1].bindings[1] = {1, z};
  plan.results = {z, 1};
  const auto run = expect_run(load_program("saxpy"), plan);
  EXPECT_EQ(run.outputs, (Outputs{Bytes::of<float>(ramp(100, 10)), saxpy_expected(100)[0]}));
}

TEST(Opencl, barriers_separate_writes_to_threadgroup_memory_from_reads) {
  const auto reverse = saxpy_like(R"(
    __local float tile[64];
    const uint l = get_local_id(0);
    tile[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = tile[63 - l];)");
  std::vector<float> expected(128);
  for (unsigned i = 0; i < 128; ++i) expected[i] = static_cast<float>(i / 64 * 64 + 63 - i % 64);
  EXPECT_EQ(expect_run(reverse, saxpy_plan(128, 64)).outputs, Outputs{Bytes::of<float>(expected)});
}

TEST(Opencl, gives_threadgroup_arguments_their_bytes) {
  auto program = load_program("saxpy");
  program.kernels[0].arguments = {
      {.kind = KernelArgument::Kind::buffer, .index = 1, .name = "y", .type = "float"},
      {.kind = KernelArgument::Kind::threadgroup, .index = 0, .name = "a", .type = "float"},
      {.kind = KernelArgument::Kind::threadgroup, .index = 2, .name = "b", .type = "float"}};
  program.text = R"(
__kernel void saxpy(__global uchar *y, ulong y_at, __local uchar *a_, __local uchar *b_,
                    uint gx, uint gy, uint gz, uint tx, uint ty, uint tz) {
  __local float *a = (__local float *)a_;
  __local float *b = (__local float *)b_;
  const uint l = get_local_id(0);
  a[l] = l;
  b[l] = 100 * l;
  barrier(CLK_LOCAL_MEM_FENCE);
  ((__global float *)(y + y_at))[get_global_id(0)] = a[tx - 1 - l] + b[l];
})";
  auto plan = saxpy_plan(16, 16);
  plan.launches[0].threadgroup_memory = {{2, 64}, {0, 64}};
  std::vector<float> expected(16);
  for (unsigned i = 0; i < 16; ++i) expected[i] = static_cast<float>(15 - i + 100 * i);
  EXPECT_EQ(expect_run(program, plan).outputs, Outputs{Bytes::of<float>(expected)});
}

// Every thread writes one number made of its threadgroup's position and size, and of the
// threadgroup size that the host asked for.
TEST(Opencl, threadgroups_at_the_edges_of_a_grid_are_smaller) {
  auto program = load_program("saxpy");
  program.kernels[0].arguments = {
      {.kind = KernelArgument::Kind::buffer, .index = 1, .name = "y", .type = "float"}};
  program.text = R"(
__kernel void saxpy(__global uchar *y, ulong y_at, uint gx, uint gy, uint gz, uint tx, uint ty, uint tz) {
  const uint group_x = get_global_offset(0) / tx + get_group_id(0);
  const uint group_y = get_global_offset(1) / ty + get_group_id(1);
  const uint group_z = get_global_offset(2) / tz + get_group_id(2);
  const uint threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
  const uint i = (get_global_id(2) * gy + get_global_id(1)) * gx + get_global_id(0);
  ((__global float *)(y + y_at))[i] += group_x + 10 * group_y + 100 * group_z + 1000 * threads;
})";
  const Extent grid = {5, 7, 3};
  const Extent group = {2, 4, 2};
  Plan plan;
  const auto y = plan.add({.name = "y", .bytes = grid.count() * 4});
  plan.launches = {{.kernel = "saxpy", .grid = grid, .threadgroup = group, .bindings = {{1, y}}}};
  plan.results = {y};

  std::vector<float> expected;
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        const auto threads = std::min(2u, grid.x - x / 2 * 2) * std::min(4u, grid.y - y / 4 * 4) *
                             std::min(2u, grid.z - z / 2 * 2);
        expected.push_back(
            static_cast<float>(x / 2 + 10 * (y / 4) + 100 * (z / 2) + 1000 * threads));
      }
  EXPECT_EQ(expect_run(program, plan).outputs, Outputs{Bytes::of<float>(expected)});
}

TEST(Opencl, names_the_buffers_beside_which_something_was_written) {
  const auto run = expect_run(saxpy_like("if (i == 0) { y[n] = 1; x[-1] = 1; } y[i] += 2 * x[i];"),
                              saxpy_plan(256));
  EXPECT_EQ(run.outputs, saxpy_expected(256));
  EXPECT_EQ(run.overruns, (std::vector<std::string>{"x", "y"}));
}

TEST(Opencl, tells_infinite_from_finite) {
  const auto classify =
      saxpy_like("y[i] = isfinite(x[i] / (x[i] - 1.0f)) ? 1 : isnan(sqrt(-x[i])) ? 2 : 3;");
  auto expected = std::vector<float>(4, 1);
  expected[1] = 2;
  EXPECT_EQ(expect_run(classify, saxpy_plan(4, 4)).outputs, Outputs{Bytes::of<float>(expected)});
}

TEST(Opencl, quotes_the_driver_on_a_text_that_does_not_build) {
  const auto failure = expect_failure(saxpy_like("y[i] = undeclared_name;"), saxpy_plan(256));
  EXPECT_EQ(failure.cause, Failure::Cause::build);
  EXPECT_NE(failure.message.find("undeclared_name"), std::string::npos) << failure.message;
}

TEST(Opencl, refuses_a_manifest_whose_kernel_the_text_lacks) {
  auto program = load_program("saxpy");
  program.kernels[0].symbol = "other";
  const auto failure = expect_failure(program, saxpy_plan(256));
  EXPECT_EQ(failure.cause, Failure::Cause::build);
  EXPECT_NE(failure.message.find("other"), std::string::npos) << failure.message;
}

TEST(Opencl, reports_a_kernel_that_writes_what_it_may_only_read) {
  const auto failure = expect_failure(saxpy_like("x[i] = 0;"), saxpy_plan(256));
  EXPECT_EQ(failure, (Failure{Failure::Cause::wrote_constant,
                              "the kernel changed x, which it may only read"}));
}

TEST(Opencl, refuses_what_a_metal_host_refuses) {
  auto program = load_program("saxpy");
  program.kernels[0].thread_limit = 128;
  EXPECT_EQ(expect_failure(program, saxpy_plan(256)).cause, Failure::Cause::thread_limit);

  program = load_program("saxpy");
  program.kernels[0].threadgroup_bytes = 32768;
  auto plan = saxpy_plan(256);
  plan.launches[0].threadgroup_memory = {{0, 4}};
  EXPECT_EQ(expect_failure(program, plan).cause, Failure::Cause::threadgroup_memory);

  plan = saxpy_plan(256);
  plan.launches[0].bindings.pop_back();
  EXPECT_EQ(expect_failure(load_program("saxpy"), plan).cause, Failure::Cause::missing_binding);
}

TEST(Opencl, a_device_that_lacks_what_the_plan_needs_is_our_error) {
  auto device = open_opencl_device(0);
  ASSERT_TRUE(device) << device.error().message;
  auto built = (*device)->build(load_program("saxpy"));
  ASSERT_TRUE(built);
  Plan plan = saxpy_plan(256);
  plan.buffers[1] = {.name = "y", .bytes = std::size_t{1} << 60};
  const auto ran = std::get<std::unique_ptr<Program>>(*built)->run(plan, verify_only);
  ASSERT_FALSE(ran);
  EXPECT_NE(ran.error().message.find("buffer y"), std::string::npos) << ran.error().message;
}

}  // namespace
}  // namespace msci
