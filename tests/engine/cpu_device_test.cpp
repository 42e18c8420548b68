// Metal kernels on the processor, in this process.
#include "evaluator/engine/cpu_device.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "evaluator/frontend.h"
#include "rules/rules.h"

namespace msci {
namespace {

constexpr const char* head = "#include <metal_stdlib>\nusing namespace metal;\n";

// Buffer 0 of the plan is bound to index 0, and so on; the last is the result.
struct Launched {
  std::vector<PlanBuffer> buffers;
  Extent grid;
  Extent threadgroup;
};

Attempt<Run> run_kernel(const std::string& text, Launched launched) {
  const auto prepared = prepare({"kernel.metal", head + text}, all_rules());
  if (!prepared || !prepared->translation) {
    ADD_FAILURE() << (prepared ? prepared->rejection : prepared.error().message);
    return Failure{};
  }
  Plan plan;
  Launch launch{.kernel = "k", .grid = launched.grid, .threadgroup = launched.threadgroup};
  for (auto& buffer : launched.buffers) {
    const auto index = static_cast<unsigned>(launch.bindings.size());
    buffer.name = fmt::format("buffer{}", index);
    launch.bindings.push_back({index, plan.add(std::move(buffer))});
  }
  plan.results = {plan.buffers.size() - 1};
  plan.launches = {launch};
  auto device = open_cpu_device(0);
  EXPECT_TRUE(device) << device.error().message;
  auto built = (*device)->build(*prepared->translation);
  EXPECT_TRUE(built) << built.error().message;
  auto ran = std::get<std::unique_ptr<Program>>(*built)->run(plan, verify_only);
  EXPECT_TRUE(ran) << ran.error().message;
  return *std::move(ran);
}

std::vector<unsigned> words(const Attempt<Run>& ran) {
  const auto* run = std::get_if<msci::Run>(&ran);
  if (!run) {
    ADD_FAILURE() << std::get<Failure>(ran).message;
    return {};
  }
  const auto view = run->outputs[0].as<unsigned>();
  return {view.begin(), view.end()};
}

PlanBuffer empty(std::size_t count) { return {.bytes = 4 * count}; }

TEST(CpuDevice, threadgroups_at_the_edges_are_smaller) {
  const unsigned width = 37, height = 5;
  const auto answers = words(run_kernel(R"(
kernel void k(device uint* out [[buffer(0)]], uint2 at [[thread_position_in_grid]],
              uint2 grid [[threads_per_grid]], uint2 size [[threads_per_threadgroup]]) {
  out[at.y * grid.x + at.x] = at.y * 1000 + at.x + 100000 * size.x;
})",
                                        {{empty(width * height)}, {width, height}, {16, 4}}));
  ASSERT_EQ(answers.size(), width * height);
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x)
      EXPECT_EQ(answers[y * width + x], y * 1000 + x + 100000 * (x < 32 ? 16U : 5U));
}

TEST(CpuDevice, lanes_that_leave_a_loop_early_keep_their_values) {
  const auto answers = words(run_kernel(R"(
kernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint value = i, steps = 0;
  while (value > 1) {
    value = value % 2 ? 3 * value + 1 : value / 2;
    ++steps;
    if (steps > 20) break;
  }
  out[i] = steps * 1000 + value % 1000;
})",
                                        {{empty(100)}, {100}, {50}}));
  for (unsigned i = 0; i < answers.size(); ++i) {
    unsigned value = i, steps = 0;
    while (value > 1) {
      value = value % 2 ? 3 * value + 1 : value / 2;
      if (++steps > 20) break;
    }
    EXPECT_EQ(answers[i], steps * 1000 + value % 1000) << i;
  }
}

TEST(CpuDevice, simdgroups_that_returned_hold_up_no_barrier) {
  const auto answers = words(run_kernel(R"(
kernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup uint shared[96];
  shared[i] = i;
  if (i >= 64) return;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = shared[63 - i];
})",
                                        {{empty(64)}, {96}, {96}}));
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(answers[i], 63 - i);
}

TEST(CpuDevice, a_wild_access_is_the_kernels_failure) {
  const auto ran = run_kernel(R"(
kernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[ulong(i) * 1000000000ul + 4000000000ul] = i;
})",
                              {{empty(64)}, {64}, {64}});
  const auto* failure = std::get_if<Failure>(&ran);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->cause, Failure::Cause::signal);
  EXPECT_NE(failure->message.find("outside its buffers"), std::string::npos) << failure->message;
}

TEST(CpuDevice, a_division_by_zero_does_not_end_the_process) {
  const auto answers = words(run_kernel(R"(
kernel void k(device const int* in [[buffer(0)]], device int* out [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = in[i] == 0 ? 7 : (100 / in[i]) + (in[0] / in[1]) * 0;
})",
                                        {{empty(32), empty(32)}, {32}, {32}}));
  for (const auto answer : answers) EXPECT_EQ(answer, 7U);
}

TEST(CpuDevice, refuses_an_opencl_program) {
  auto device = open_cpu_device(0);
  ASSERT_TRUE(device);
  const auto built = (*device)->build({.source_name = "text", .text = "__kernel void k() {}"});
  ASSERT_FALSE(built);
  EXPECT_NE(built.error().message.find("Metal source"), std::string::npos);
}

}  // namespace
}  // namespace msci
