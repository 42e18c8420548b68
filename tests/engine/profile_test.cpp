// Counts of small kernels are those that one counts by hand.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/profile/sampling.h"
#include "evaluator/profile/profiled_run.h"
#include "tests/engine/run_kernel.h"

namespace msci {
namespace {

PlanBuffer floats(std::size_t count) { return {.bytes = 4 * count}; }

PlanBuffer number(unsigned value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return {.bytes = sizeof value, .initial = bytes};
}

LaunchProfile profiled(const std::string& text, Launched launched) {
  const auto prepared = compile({"kernel.metal", metal_head + text}, all_rules(),
                                {.purpose = TranslationPurpose::profiling});
  if (!prepared || !prepared->translation) {
    ADD_FAILURE() << (prepared ? prepared->rejection : prepared.error().message);
    return {};
  }
  auto device = open_cpu_device(0);
  auto built = (*device)->build(*prepared->translation);
  const auto profile = run_profile(plan_of(std::move(launched)), *prepared->translation,
                                   *std::get<std::unique_ptr<Program>>(*built));
  if (!profile || !std::holds_alternative<Profile>(*profile)) {
    ADD_FAILURE();
    return {};
  }
  return std::get<Profile>(*profile).launches.at(0);
}

double work_of(const LaunchProfile& launch, WorkKind kind) {
  return launch.work[static_cast<std::size_t>(kind)];
}

TEST(Profile, a_product_and_a_sum_are_one_instruction) {
  const auto launch = profiled(R"(
kernel void k(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) { y[i] = 3.0f * x[i] + y[i]; })",
                               {{floats(256), floats(256)}, {256}, {64}});
  EXPECT_EQ(work_of(launch, WorkKind::float_add), 1);
  EXPECT_EQ(work_of(launch, WorkKind::device_load), 2);
  EXPECT_EQ(work_of(launch, WorkKind::device_store), 1);
  EXPECT_EQ(work_of(launch, WorkKind::integer), 0);
  EXPECT_EQ(launch.device_lines, 3);
  EXPECT_EQ(launch.device_sectors, 12);
  EXPECT_EQ(launch.used_bytes, 3 * 128);
  EXPECT_EQ(launch.core_misses, 2);  // the store finds what the load brought
  EXPECT_EQ(launch.active_lanes, 32);
  EXPECT_EQ(launch.groups, 4);
  EXPECT_EQ(launch.simdgroups, 2);
}

TEST(Profile, a_stride_touches_more_lines) {
  const auto launch = profiled(R"(
kernel void k(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) { y[i] = x[2 * i] + x[8 * i]; })",
                               {{floats(512), floats(64)}, {64}, {64}});
  EXPECT_EQ(launch.device_lines, 2 + 8 + 1);
  EXPECT_EQ(launch.device_sectors, 8 + 32 + 4);
}

TEST(Profile, a_loop_counts_each_iteration) {
  const auto launch = profiled(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint j = 0; j < n; ++j) sum = sqrt(sum + x[j]);
  y[i] = sum;
})",
                               {{floats(64), number(10), floats(32)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::root), 10);
  EXPECT_EQ(work_of(launch, WorkKind::float_add), 10);
  EXPECT_EQ(work_of(launch, WorkKind::device_load), 10);
  EXPECT_EQ(launch.device_lines, 11);
  EXPECT_EQ(launch.core_misses, 2);  // all of x lies in one line
  EXPECT_GE(launch.device_waits, 10);
}

TEST(Profile, both_sides_of_a_branch_run_where_lanes_part) {
  const auto launch = profiled(R"(
kernel void k(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i & 1) y[i] = sqrt(y[i]);
  else if (i & 2) y[i] = sin(y[i]);
})",
                               {{floats(64)}, {64}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::root), 1);
  EXPECT_EQ(work_of(launch, WorkKind::trigonometry), 1);
  EXPECT_EQ(work_of(launch, WorkKind::device_load), 2);
  EXPECT_EQ(launch.used_bytes, 2 * 4 * (16 + 8));
  EXPECT_LT(launch.active_lanes, 32);
}

TEST(Profile, a_loop_runs_as_long_as_one_lane_needs_it) {
  const auto launch = profiled(R"(
kernel void k(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  float sum = 0;
  for (uint j = 0; j < i; ++j) sum = sqrt(sum + 1.0f);
  y[i] = sum;
})",
                               {{floats(32)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::root), 31);
}

TEST(Profile, barriers_and_threadgroup_memory_without_conflicts) {
  const auto launch = profiled(R"(
kernel void k(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[64];
  shared[i] = y[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = shared[63 - i];
})",
                               {{floats(64)}, {64}, {64}});
  EXPECT_EQ(work_of(launch, WorkKind::barrier), 1);
  EXPECT_EQ(work_of(launch, WorkKind::threadgroup_load), 1);
  EXPECT_EQ(work_of(launch, WorkKind::threadgroup_store), 1);
  EXPECT_EQ(launch.bank_cycles, 2);
  EXPECT_EQ(launch.threadgroup_bytes, 256);
}

TEST(Profile, banks_take_turns) {
  const auto launch = profiled(R"(
kernel void k(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[1024];
  shared[32 * i] = y[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = shared[32 * (31 - i)] + shared[32];
})",
                               {{floats(32)}, {32}, {32}});
  EXPECT_EQ(launch.bank_cycles, 32 + 32 + 1);
  const auto line = std::find_if(launch.lines.begin(), launch.lines.end(),
                                 [](const LineProfile& each) { return each.line == 6; });
  ASSERT_NE(line, launch.lines.end());
  EXPECT_EQ(line->bank_cycles, 32);
  EXPECT_EQ(line->least_bank_cycles, 1);
}

TEST(Profile, rows_of_a_matrix_need_no_turns_where_they_share_banks) {
  const auto launch = profiled(R"(
kernel void k(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[256];
  for (uint j = 0; j < 8; ++j) shared[32 * j + i] = y[32 * j + i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_float8x8 a;
  simdgroup_load(a, shared, 32);
  simdgroup_store(a, y);
})",
                               {{floats(256)}, {32}, {32}});
  EXPECT_EQ(launch.bank_cycles, 8 + 2);  // its 64 elements of 4 bytes take two turns
}

// On an M1 Pro, such a kernel took fifteen times as long as one that unrolls eight iterations.
TEST(Profile, a_tile_that_is_unrolled_as_a_whole_spills) {
  const auto launch = profiled(R"(
[[max_total_threads_per_threadgroup(128)]]
kernel void k(device const float4* x [[buffer(0)]], device float4* y [[buffer(1)]],
              uint i [[thread_position_in_threadgroup]]) {
  threadgroup float4 tile[128];
  tile[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float3 here = x[i].xyz;
  float3 sum = 0;
#pragma clang loop unroll(full)
  for (uint k = 0; k < 128; ++k) {
    const float3 way = tile[k].xyz - here;
    const float square = fma(way.x, way.x, fma(way.y, way.y, fma(way.z, way.z, 1.0f)));
    sum = fma(way, tile[k].w * rsqrt(square), sum);
  }
  y[i] = float4(sum, 0);
})",
                               {{floats(512), floats(512)}, {128}, {128}});
  EXPECT_GT(launch.registers, most_registers);
  EXPECT_GT(work_of(launch, WorkKind::private_access), 0);
}

// Apple's GPUs multiply 32 bits by 32 bits.
TEST(Profile, the_upper_half_of_a_product_of_64_bits_is_several_products) {
  const auto launch = profiled(R"(
kernel void k(device const ulong* x [[buffer(0)]], device ulong* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) { y[i] = mulhi(x[i], y[i]); })",
                               {{floats(64), floats(64)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::multiply_high), 5);
}

TEST(Profile, upper_halves_of_products_count_by_element) {
  const auto launch = profiled(R"(
kernel void k(device const ulong2* x [[buffer(0)]], device ulong2* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) { y[i] = mulhi(x[i], y[i]); })",
                               {{floats(128), floats(128)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::multiply_high), 10);
}

// LLVM makes one product of the four.
TEST(Profile, an_upper_half_that_a_source_spells_is_that_of_mulhi) {
  const auto launch = profiled(R"(
ulong upper_half(ulong a, ulong b) {
  ulong a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  ulong low = a0 * b0, left = a1 * b0, right = a0 * b1, high = a1 * b1;
  ulong mid = (low >> 32) + (left & 0xffffffff) + (right & 0xffffffff);
  return high + (left >> 32) + (right >> 32) + (mid >> 32);
}
kernel void k(device const ulong* x [[buffer(0)]], device ulong* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) { y[i] = upper_half(x[i], y[i]); })",
                               {{floats(64), floats(64)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::multiply_high), 5);
  EXPECT_EQ(work_of(launch, WorkKind::add_long), 0);
}

TEST(Profile, elements_of_a_vector_are_shifted_by_a_constant) {
  const auto launch = profiled(R"(
kernel void k(device const ulong2* x [[buffer(0)]], device ulong2* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) { y[i] = (x[i] >> 3) + (y[i] >> 32); })",
                               {{floats(128), floats(128)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::shift_right), 0);
  EXPECT_EQ(work_of(launch, WorkKind::bits), 6);  // three for each element; by 32 bits, none
}

TEST(Profile, elements_of_a_vector_are_shifted_by_a_variable) {
  const auto launch = profiled(R"(
kernel void k(device const ulong2* x [[buffer(0)]], device ulong2* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) { y[i] = x[i] >> (y[i] & 63); })",
                               {{floats(128), floats(128)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::shift_right), 6);  // three for each element
  EXPECT_EQ(work_of(launch, WorkKind::bits), 0);
}

TEST(Profile, elements_of_a_vector_are_rotated_and_divided_by_a_constant) {
  const auto launch = profiled(R"(
kernel void k(device const ulong2* x [[buffer(0)]], device ulong2* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) { y[i] = rotate(x[i], ulong2(32)) / 10; })",
                               {{floats(128), floats(128)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::multiply_high), 10);  // five for each element
  EXPECT_EQ(work_of(launch, WorkKind::divide_integer), 0);
  EXPECT_EQ(work_of(launch, WorkKind::shift_right), 0);
}

// The words of large numbers. A loop that moves them does not become a call of memmove().
TEST(Profile, small_arrays_that_loops_move_are_registers) {
  const auto launch = profiled(R"(
kernel void k(device uint* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  ulong t[13];
  for (uint j = 0; j < 13; ++j) t[j] = y[i + 32 * j];
  for (uint n = 0; n < 100; ++n) {
    const ulong first = 3 * t[0] + 1;
    for (uint j = 0; j < 12; ++j) t[j] = t[j + 1];
    t[12] ^= first;
  }
  ulong sum[12], difference[12], chosen[12];
  for (uint j = 0; j < 12; ++j) sum[j] = t[j] + y[i + 32 * j];
  for (uint j = 0; j < 12; ++j) difference[j] = t[j] - y[i + 32 * j];
  const bool is_less = t[12] < 5;
  for (uint j = 0; j < 12; ++j) chosen[j] = is_less ? difference[j] : sum[j];
  for (uint j = 0; j < 12; ++j) y[i + 32 * j] = chosen[j] >> 1;
})",
                               {{floats(1024)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::private_access), 0);
  EXPECT_EQ(launch.private_bytes, 0U);
}

// A kernel of more than 16,000 instructions keeps its loops, but Apple's compiler unrolls them: on
// an M1 Pro, arithmetic on large numbers took 82 instead of 34 ms with `#pragma unroll`.
TEST(Profile, a_loop_is_as_long_as_the_source_asks_to_unroll) {
  const auto with_hint = [](const std::string& hint) {
    const auto loop = hint + R"(
    for (uint j = 0; j < 1000; ++j) {
      a = a * b + (a >> 3);
      b = (b ^ a) * c + (b >> 5);
      c = (c ^ b) * a + (c >> 7);
      a ^= j;
    })";
    return profiled(R"(
kernel void k(device uint* y [[buffer(0)]], constant uint& n [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  uint a = y[i], b = i, c = 7;
  for (uint round = 0; round < n; ++round) {)" +
                        loop + loop + R"(
  }
  y[i] = a ^ b ^ c;
})",
                    {{floats(32), number(2)}, {32}, {32}});
  };
  const auto hinted = with_hint("\n#pragma unroll");
  EXPECT_GT(hinted.loop_instructions, 16000U);
  EXPECT_EQ(with_hint("").loop_instructions, hinted.loop_instructions / 2000);
}

TEST(Profile, functions_of_a_simdgroup) {
  const auto launch = profiled(R"(
kernel void k(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  y[i] = simd_sum(y[i]) + simd_shuffle_xor(y[i], 1) + simd_prefix_inclusive_sum(y[i]);
})",
                               {{floats(32)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::reduce), 1);
  EXPECT_EQ(work_of(launch, WorkKind::shuffle), 1);
  EXPECT_EQ(work_of(launch, WorkKind::prefix), 1);
  EXPECT_EQ(work_of(launch, WorkKind::float_add), 2);
}

TEST(Profile, products_of_matrices) {
  // One before the loop, three in it, of which the compiler unrolls each iteration.
  const auto launch = profiled(R"(
kernel void k(device const float* x [[buffer(0)]], device const half* h [[buffer(1)]],
              device float* y [[buffer(2)]]) {
  simdgroup_float8x8 a, b, sum;
  simdgroup_half8x8 c, d;
  simdgroup_load(a, x);
  simdgroup_load(b, x + 64);
  simdgroup_load(c, h);
  simdgroup_load(d, h + 64);
  simdgroup_multiply(sum, c, d);
  for (int i = 0; i < 3; ++i) simdgroup_multiply_accumulate(sum, a, b, sum);
  simdgroup_store(sum, y);
})",
                               {{floats(128), floats(128), floats(64)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::matrix), 4);
  EXPECT_EQ(work_of(launch, WorkKind::shuffle_variable), 0);
  EXPECT_EQ(work_of(launch, WorkKind::shuffle), 0);
  EXPECT_EQ(work_of(launch, WorkKind::float_add), 0);
  EXPECT_LE(launch.registers, 48);
}

TEST(Profile, products_of_matrices_in_a_long_loop) {
  const auto launch = profiled(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]]) {
  simdgroup_float8x8 a, b, sum(0);
  for (uint i = 0; i < n; ++i) {
    simdgroup_load(a, x + 128 * i);
    simdgroup_load(b, x + 128 * i + 64);
    simdgroup_multiply_accumulate(sum, a, b, sum);
  }
  simdgroup_store(sum, y);
})",
                               {{floats(2560), number(20), floats(64)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::matrix), 20);
  EXPECT_EQ(work_of(launch, WorkKind::float_add), 0);
}

TEST(Profile, halves_and_vectors_count_by_element) {
  const auto launch = profiled(R"(
kernel void k(device half4* x [[buffer(0)]], device float4* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  x[i] = x[i] + half4(1.0h);
  y[i] = y[i] * y[i];
})",
                               {{floats(64), floats(128)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::half_add), 4);
  EXPECT_EQ(work_of(launch, WorkKind::float_add), 4);
  EXPECT_EQ(launch.device_lines, 2 * 2 + 2 * 4);
}

TEST(Profile, integers_by_their_cost) {
  const auto launch = profiled(R"(
kernel void k(device uint* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint a = y[i];
  y[i] = a * a + (a / (a | 1)) + popcount(a) + (a >> (a & 31));
})",
                               {{floats(32)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::multiply), 1);
  EXPECT_EQ(work_of(launch, WorkKind::divide_integer), 1);
  EXPECT_EQ(work_of(launch, WorkKind::bits), 1);
  EXPECT_EQ(work_of(launch, WorkKind::shift_right), 1);
  EXPECT_EQ(work_of(launch, WorkKind::integer),
            4);  // or, and, two sums; the product adds the third
}

TEST(Profile, atomics_by_distinct_addresses) {
  const auto launch = profiled(R"(
kernel void k(device atomic_uint* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(y + i / 4, 1u, memory_order_relaxed);
})",
                               {{floats(32)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::atomic), 1);
  EXPECT_EQ(launch.atomic_turns, 8);
}

TEST(Profile, lanes_at_the_edge_of_a_grid) {
  const auto launch = profiled(R"(
kernel void k(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = 1.0f; })",
                               {{floats(40)}, {40}, {32}});
  EXPECT_EQ(launch.groups, 2);
  EXPECT_EQ(launch.used_bytes, 4 * 40 / 2);
  EXPECT_EQ(launch.active_lanes, 20);
}

TEST(Profile, what_all_threads_share_costs_nothing) {
  const auto launch = profiled(R"(
kernel void k(constant float& a [[buffer(0)]], constant float& b [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = a / b * 3.0f;
})",
                               {{floats(1), floats(1), floats(32)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::reciprocal), 0);
  EXPECT_EQ(work_of(launch, WorkKind::constant_load), 0);
  EXPECT_EQ(work_of(launch, WorkKind::float_add), 0);
  EXPECT_EQ(work_of(launch, WorkKind::device_store), 1);
}

TEST(Profile, registers_hold_what_is_live) {
  // Sixteen loaded values are live at once: 32 registers of 16 bits, and the index.
  std::string loads, uses;
  for (int i = 0; i < 16; ++i) {
    loads += fmt::format("  float v{0} = x[i + {0} * 64];\n", i);
    uses += fmt::format("  y[i + {0} * 64] = v{1};\n", i, 15 - i);
  }
  const auto launch = profiled(
      "kernel void k(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], uint i "
      "[[thread_position_in_grid]]) {\n" +
          loads + "  threadgroup_barrier(mem_flags::mem_device);\n" + uses + "}",
      {{floats(1024), floats(1024)}, {32}, {32}});
  EXPECT_GE(launch.registers, 32);
  EXPECT_LE(launch.registers, 38);
}

TEST(Profile, halves_of_long_integers_are_free) {
  const auto launch = profiled(R"(
kernel void k(device const ulong* x [[buffer(0)]], device ulong* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  ulong a = x[i];
  y[i] = (a >> 32) | (a << 32);
})",
                               {{floats(64), floats(64)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::bits), 0);
}

TEST(Profile, rotations_of_long_integers_take_two_shifts_of_each_half) {
  const auto launch = profiled(R"(
kernel void k(device const ulong* x [[buffer(0)]], device ulong* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  ulong a = x[i];
  y[i] = (a << 7) | (a >> 57);
})",
                               {{floats(64), floats(64)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::bits), 4);
}

TEST(Profile, products_of_halves_take_one_multiplication) {
  const auto launch = profiled(R"(
kernel void k(device const ulong* x [[buffer(0)]], device ulong* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  ulong a = x[i];
  y[i] = (a >> 32) * (a & 0xffffffff);
})",
                               {{floats(64), floats(64)}, {32}, {32}});
  EXPECT_EQ(work_of(launch, WorkKind::multiply_high), 1);
  EXPECT_EQ(work_of(launch, WorkKind::multiply_long), 0);
  EXPECT_EQ(work_of(launch, WorkKind::bits), 0);
}

TEST(Profile, values_beyond_the_registers_are_stored_and_loaded) {
  // 120 floats are live at once: 240 registers of 16 bits.
  std::string loads, uses;
  for (int i = 0; i < 120; ++i) {
    loads += fmt::format("  float v{0} = x[i + {0} * 64];\n", i);
    uses += fmt::format("  y[i + {0} * 64] = v{1};\n", i, 119 - i);
  }
  const auto accesses = [&](const std::string& limit) {
    return work_of(
        profiled(limit +
                     "kernel void k(device const float* x [[buffer(0)]], device float* y "
                     "[[buffer(1)]], uint i [[thread_position_in_grid]]) {\n" +
                     loads + "  threadgroup_barrier(mem_flags::mem_device);\n" + uses + "}",
                 {{floats(8192), floats(8192)}, {32}, {32}}),
        WorkKind::private_access);
  };
  EXPECT_EQ(accesses(""), 0);
  // 104 registers are 52 floats, so at least 68 are stored, and loaded later.
  EXPECT_GE(accesses("[[max_total_threads_per_threadgroup(1024)]] "), 2 * 68);
  EXPECT_LE(accesses("[[max_total_threads_per_threadgroup(1024)]] "), 2 * 75);
}

TEST(Profile, a_kernel_that_is_too_large_when_unrolled) {
  const auto launch = profiled(R"(
kernel void k(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a = y[i];
  #pragma clang loop unroll(full)
  for (int j = 0; j < 6000; ++j) a = fract(a * 1.5f + j) * a;
  y[i] = a;
})",
                               {{floats(32)}, {32}, {32}});
  EXPECT_GE(work_of(launch, WorkKind::loop), 100);
}

// Group 500 is not among the 64 that are counted, and would be stopped if it ran.
TEST(Profile, the_last_launch_runs_only_what_it_counts) {
  const auto launch = profiled(R"(
kernel void k(device uint* y [[buffer(0)]], uint i [[thread_position_in_grid]],
              uint group [[threadgroup_position_in_grid]]) {
  y[group == 500 ? i + (1u << 30) : i] = i;
})",
                               {{floats(32 * 1000)}, {32 * 1000}, {32}});
  EXPECT_EQ(launch.groups, 1000);
  EXPECT_EQ(launch.counted, 64);
  EXPECT_EQ(launch.count_error, 0);  // all groups do the same
  EXPECT_FALSE(launch.is_after_gap);
}

// What a launch reads must have been computed.
TEST(Profile, launches_that_others_follow_run_whole) {
  const auto prepared = compile({"kernel.metal", std::string(metal_head) + R"(
kernel void k(device uint* y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = 7; }
kernel void last(device uint* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint j = 0; j < y[16000]; ++j) sum = sqrt(sum + j);  // of a group that is not counted
  y[i] = uint(sum);
})"},
                                all_rules(), {.purpose = TranslationPurpose::profiling});
  ASSERT_TRUE(prepared && prepared->translation);
  auto plan = plan_of({{floats(32 * 1000)}, {32 * 1000}, {32}});
  plan.launches.push_back(plan.launches[0]);
  plan.launches[1].kernel = "last";
  const auto device = open_cpu_device(0);
  const auto built = (*device)->build(*prepared->translation);
  const auto profile = run_profile(std::move(plan), *prepared->translation,
                                   *std::get<std::unique_ptr<Program>>(*built));
  ASSERT_TRUE(profile && std::holds_alternative<Profile>(*profile));
  EXPECT_EQ(work_of(std::get<Profile>(*profile).launches.at(1), WorkKind::root), 7);
}

TEST(Profile, groups_that_differ_make_counts_uncertain) {
  const auto launch = profiled(R"(
kernel void k(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]],
              uint group [[threadgroup_position_in_grid]]) {
  float sum = 0;
  for (uint j = 0; j < 100 * (group % 2); ++j) sum = sqrt(sum + j);
  y[i] = sum;
})",
                               {{floats(32 * 1000)}, {32 * 1000}, {32}});
  EXPECT_GT(launch.count_error, 0.2);
  EXPECT_LT(launch.count_error, 0.3);
}

TEST(Sampling, counts_fewer_threadgroups_where_each_takes_long) {
  const auto counted = [](double instructions) {
    std::size_t sum = 0;
    for (const auto& range : engine::sampled_groups(1000, 1, instructions))
      sum += range.end - range.begin;
    return sum;
  };
  EXPECT_EQ(counted(100), 64);
  EXPECT_LE(counted(1e6), 30);
  EXPECT_EQ(counted(1e9), 4);
  EXPECT_EQ(engine::sampled_groups(1000, 1, 1e9).front().begin, 0);
}

}  // namespace
}  // namespace msci
