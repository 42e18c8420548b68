// Metal kernels on the processor, in this process.
#include "engine/cpu_device.h"

#include <gtest/gtest.h>

#include <bit>

#include "engine/device/plan_runner.h"
#include "engine/device/worker_protocol.h"
#include "tests/engine/run_kernel.h"

namespace msci {
namespace {

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

// The upper half of the lanes leaves, in vectors of 512 bits: LLVM's code for x86 once let them
// stay.
TEST(CpuDevice, half_of_the_lanes_leaves_a_loop_that_the_others_repeat) {
  const auto answers = words(run_kernel(R"(
kernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]]) {
  float f = 0;
  for (uint again = 0; again < 2; ++again) {
    for (uint step = 0; step < 3; ++step) {
      f = fmod(floor((2.0f + (f + float(i & 63))) * 0.25f), 512.0f);
      if ((t >> 4 & 1) != 0) break;
    }
  }
  out[i] = uint(f);
})",
                                        {{empty(96)}, {96}, {48}}));
  for (unsigned i = 0; i < answers.size(); ++i) {
    unsigned f = 0;
    for (unsigned step = 0; step < ((i % 48 >> 4 & 1) != 0 ? 2U : 6U); ++step)
      f = (2 + f + (i & 63)) / 4;
    EXPECT_EQ(answers[i], f) << i;
  }
}

// In the first iteration some lanes leave at the loop's end; in the second all others break before
// it.
TEST(CpuDevice, lanes_that_left_a_loop_are_not_forgotten_when_the_others_break) {
  const auto answers = words(run_kernel(R"(
kernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint v = 0, a[8] = {};
  for (uint step = 0; step < (i & 3); ++step) {
    v = i;
    if (a[4] != step) { v ^= 1; break; }
    a[i & 7] = i;
  }
  out[i] = v;
})",
                                        {{empty(96)}, {96}, {48}}));
  for (unsigned i = 0; i < answers.size(); ++i) {
    unsigned v = 0, a[8] = {};
    for (unsigned step = 0; step < (i & 3); ++step) {
      v = i;
      if (a[4] != step) {
        v ^= 1;
        break;
      }
      a[i & 7] = i;
    }
    EXPECT_EQ(answers[i], v) << i;
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

TEST(CpuDevice, runs_threadgroups_in_the_order_that_is_asked_for) {
  constexpr const char* kernel = R"(
kernel void k(device atomic_uint* next [[buffer(0)]], device uint* out [[buffer(1)]],
              uint group [[threadgroup_position_in_grid]],
              uint lane [[thread_index_in_simdgroup]], uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  if (lane == 0) out[2 * group + simdgroup] = atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
})";
  const auto run = [&](const std::string& order) {
    return words(run_kernel(kernel, {{empty(1), empty(8)}, {256}, {64}, in_order(order)}));
  };
  EXPECT_EQ(run("forward"), (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(run("reversed"), (std::vector<unsigned>{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(run("17"), run("17"));
  EXPECT_NE(run("17"), run("18"));
}

TEST(CpuDevice, another_order_reveals_a_read_without_a_barrier) {
  constexpr const char* kernel = R"(
kernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup uint table[64];
  if (i < 32) table[i] = i;
  out[i] = table[i % 32];
})";
  const auto run = [&](const std::string& order) {
    return words(run_kernel(kernel, {{empty(64)}, {64}, {64}, in_order(order)}));
  };
  const auto forward = run("forward"), reversed = run("reversed");
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(forward[i], i % 32);
  for (unsigned i = 32; i < 64; ++i) EXPECT_EQ(reversed[i], 0xffffffff);
}

TEST(CpuDevice, runs_lanes_in_the_order_that_is_asked_for) {
  constexpr const char* kernel = R"(
kernel void k(device atomic_uint* next [[buffer(0)]], device uint* out [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
})";
  const auto run = [&](const std::string& order) {
    return words(run_kernel(kernel, {{empty(1), empty(40)}, {40}, {40}, in_order(order)}));
  };
  const auto forward = run("lanes:forward"), reversed = run("lanes:reversed");
  for (unsigned i = 0; i < 40; ++i) {
    EXPECT_EQ(forward[i], i);
    EXPECT_EQ(reversed[i], 39 - i);
  }
  EXPECT_NE(run("lanes:17"), run("lanes:18"));
}

TEST(CpuDevice, all_forms_compute_the_same) {
  const Execution forms[] = {{.vector_bits = 128},
                             {.vector_bits = 256},
                             {.vector_bits = 512},
                             {.lane_by_lane = true},
                             in_order("lanes:5")};
  for (const auto& form : forms) {
    const auto answers = words(run_kernel(R"(
kernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float x = i;
  for (uint k = 0; k < i % 7; ++k) x = x * 1.5f + simd_sum(1.0f);
  out[i] = as_type<uint>(x);
})",
                                          {{empty(64)}, {64}, {64}, form}));
    for (unsigned i = 0; i < 64; ++i) {
      float x = i;
      for (unsigned k = 0; k < i % 7; ++k) {
        float lanes = 0;
        for (unsigned j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) lanes += k < j % 7;
        x = x * 1.5F + lanes;
      }
      EXPECT_EQ(answers[i], std::bit_cast<unsigned>(x)) << i;
    }
  }
}

// Brief runs have one form of a kernel for all shapes of threadgroups.
TEST(CpuDevice, a_brief_run_computes_what_others_do_in_any_shape_of_threadgroups) {
  constexpr const char* kernel = R"(
kernel void k(device uint* out [[buffer(0)]], uint3 at [[thread_position_in_grid]],
              uint3 local [[thread_position_in_threadgroup]], uint index [[thread_index_in_threadgroup]],
              uint simdgroup [[simdgroup_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]],
              uint3 group [[threadgroup_position_in_grid]], uint3 size [[threads_per_threadgroup]],
              uint3 grid [[threads_per_grid]]) {
  threadgroup uint table[512];
  const uint threads = size.x * size.y * size.z;
  table[index] = 7 * local.x + 31 * local.y + 101 * local.z + 1009 * simdgroup;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const uint sum = simd_sum(table[threads - 1 - index] * (lane + 1));
  out[(at.z * grid.y + at.y) * grid.x + at.x] = sum + 7919 * (group.x + 3 * group.y + 5 * group.z);
})";
  const std::pair<Extent, Extent> launches[] = {
      {{64, 1, 1}, {64, 1, 1}},   {{96, 1, 1}, {33, 1, 1}}, {{32, 32, 1}, {16, 16, 1}},
      {{37, 29, 1}, {16, 16, 1}}, {{16, 8, 4}, {8, 4, 2}},  {{19, 7, 5}, {8, 4, 2}},
      {{5, 3, 2}, {8, 4, 2}}};
  for (const auto& [grid, threadgroup] : launches)
    for (const std::string order : {"parallel", "1f"}) {
      const auto run = [&](bool brief) {
        auto execution = in_order(order);
        execution.brief = brief;
        return words(run_kernel(kernel, {{empty(grid.count())}, grid, threadgroup, execution}));
      };
      const auto usual = run(false), brief = run(true);
      EXPECT_EQ(brief, usual) << order << " " << grid.x << "x" << grid.y << "x" << grid.z;
      EXPECT_FALSE(usual.empty());
    }
}

TEST(CpuDevice, a_wild_access_is_the_kernels_failure) {
  const auto ran = run_kernel(R"(
kernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[ulong(i) * 1000000000ul + 4000000000ul] = i;
})",
                              {{empty(64)}, {64}, {64}});
  const auto* failure = std::get_if<Failure>(&ran);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->cause, Failure::Cause::outside);
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

// LLVM 22 makes wrong code of a product whose factor is constant in some lanes.
TEST(CpuDevice, multiplies_by_lanes_of_which_some_are_constant) {
  for (const unsigned bits : {128U, 256U, 512U}) {
    const auto answers = words(run_kernel(R"(
kernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]]) {
  uint zeros[8] = {};
  out += 4 * i;
  out[0] = mulhi((t & 16) ? i : 1u, zeros[t & 7]);
  for (uint k = 1; k < 4; ++k) out[k] = 0;
})",
                                          {{empty(4 * 64)}, {64}, {64}, {.vector_bits = bits}}));
    for (const auto answer : answers) EXPECT_EQ(answer, 0U) << bits << " bits";
  }
}

// What a kernel adds to the last bits of a value, to a component that is not compared and to shared
// memory is gone before the next pass, timed or not. Results that count passes would deviate.
TEST(CpuDevice, no_count_of_passes_outlives_a_pass) {
  const auto built = build_kernel(R"(
kernel void k(device float4* state [[buffer(0)]], device uint4* out [[buffer(1)]],
              uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint shared[32];
  const uint bits = as_type<uint>(state[i].x);
  out[i] = uint4(bits & 7u, as_type<uint>(state[i].w), shared[t], 0u);
  state[i].x = as_type<float>((bits & ~7u) | ((bits + 1u) & 7u));
  state[i].w += 1.0f;
  shared[t] += 1u;
})");
  ASSERT_TRUE(built.program);
  constexpr std::size_t bytes = 16 * 32;
  const std::vector<std::byte> other(bytes, std::byte{0x41});
  // One threadgroup: which others find in shared memory what it left depends on the processors.
  auto plan = plan_of({{{.bytes = bytes, .variants = {other}}, {.bytes = bytes}}, {32}, {32}});
  plan.variants = 1;
  const auto ran = built.program->run(plan, {.warmup = 2, .timed = 24});
  ASSERT_TRUE(ran) << ran.error().message;
  const auto& run = std::get<msci::Run>(*ran);
  EXPECT_TRUE(run.deviations.empty());
  ASSERT_EQ(run.variants.size(), 1U);
  EXPECT_NE(run.variants.front().outputs, run.outputs);
}

TEST(CpuDevice, changes_no_file_that_its_inputs_come_in) {
  const auto built = build_kernel(R"(
kernel void k(device uint* a [[buffer(0)]], device const uint* b [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  if (i % 4096 < 4000) a[i] = a[i] * 3u + b[i];
})");
  ASSERT_TRUE(built.program);
  constexpr unsigned count = (5U << 20) + 3;  // the last page has slack, too
  std::vector<unsigned> a(count), b(count), expected(count);
  for (unsigned i = 0; i < count; ++i) {
    a[i] = i;
    b[i] = i % 77;
    expected[i] = i % 4096 < 4000 ? 3 * i + i % 77 : i;
  }
  auto sent = plan_of({{{.bytes = 4 * count, .initial = Bytes::of<unsigned>(a)},
                        {.bytes = 4 * count, .initial = Bytes::of<unsigned>(b)}},
                       {count},
                       {256}});
  sent.vary_slack = true;
  sent.results = {0};
  const auto file = share_contents(sent);
  ASSERT_TRUE(file);
  const auto mapped = map_shared_memory(*file);
  ASSERT_TRUE(mapped);
  const auto plan = plan_from(to_json(sent), *mapped);
  auto memory = private_memory();
  for (int turn = 0; turn < 2; ++turn) {
    const auto ran = built.program->run_in(memory, plan, verify_only);
    ASSERT_TRUE(ran) << ran.error().message;
    const auto& run = std::get<msci::Run>(*ran);
    EXPECT_EQ(run.outputs, Outputs{Bytes::of<unsigned>(expected)});
    EXPECT_TRUE(run.overruns.empty() && run.changed_inputs.empty());
  }
  EXPECT_EQ(plan, sent) << "the file holds what it held";
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
