// Divisions of integers, and accesses whose addresses follow from 32-bit indices, against the same
// in C++.
#include <cmath>
#include <random>
#include <span>

#include "tasks/plan/elements.h"
#include "tests/engine/run_kernel.h"

namespace msci {
namespace {

constexpr unsigned widths[] = {128, 256, 512};

PlanBuffer holding(const std::vector<unsigned>& numbers) {
  const auto bytes = std::as_bytes(std::span(numbers));
  return {.bytes = bytes.size(), .initial = {bytes.begin(), bytes.end()}};
}

// Numbers at the ends of their type, and those beside multiples of the divisors.
std::vector<unsigned> dividends(const std::vector<unsigned>& divisors) {
  std::mt19937 random(7);
  std::vector<unsigned> numbers{0, 1, 2, 3, 0x7fffffff, 0x80000001, 0xfffffffe, 0xffffffff};
  while (numbers.size() < 512) {
    const auto by = divisors[random() % divisors.size()];
    const auto any = static_cast<unsigned>(random());
    const auto multiple = any / by * by;
    for (const unsigned beside : {multiple - 1, multiple, multiple + 1, any})
      if (beside != 0x80000000) numbers.push_back(beside);
  }
  numbers.resize(512);
  return numbers;
}

const std::vector<unsigned> divisors{
    1, 2, 3, 7, 10, 31, 32, 65, 641, 65535, 65537, 0x7fffffff, 0x80000001, 0xfffffffe, 0xffffffff};

// `divisor`: the text of the one that thread i uses in round j of `many`.
void expect_exact(const std::string& divisor, unsigned moved_by_thread) {
  const auto numbers = dividends(divisors);
  const auto many = static_cast<unsigned>(divisors.size());
  for (const auto bits : widths) {
    const auto answers = words(run_kernel(
        fmt::format(R"(
kernel void k(device const uint* a [[buffer(0)]], device const uint* d [[buffer(1)]],
              constant uint& many [[buffer(2)]], device uint* out [[buffer(3)]],
              uint i [[thread_position_in_grid]]) {{
  for (uint j = 0; j < many; ++j) {{
    const uint by = {};
    device uint* to = out + 4 * (i * many + j);
    to[0] = a[i] / by;
    to[1] = a[i] % by;
    to[2] = uint(int(a[i]) / int(by));
    to[3] = uint(int(a[i]) % int(by));
  }}
}})",
                    divisor),
        {{holding(numbers), holding(divisors), holding({many}), empty(4 * numbers.size() * many)},
         {static_cast<unsigned>(numbers.size())},
         {64},
         {.vector_bits = bits}}));
    ASSERT_EQ(answers.size(), 4 * numbers.size() * many);
    for (unsigned i = 0; i < numbers.size(); ++i)
      for (unsigned j = 0; j < many; ++j) {
        const auto a = numbers[i], by = divisors[(j + moved_by_thread * i) % many];
        const auto signed_a = static_cast<int>(a), signed_by = static_cast<int>(by);
        const auto* answer = &answers[4 * (i * many + j)];
        EXPECT_EQ(answer[0], a / by) << a << " / " << by;
        EXPECT_EQ(answer[1], a % by) << a << " % " << by;
        EXPECT_EQ(static_cast<int>(answer[2]), signed_a / signed_by)
            << signed_a << " / " << signed_by;
        EXPECT_EQ(static_cast<int>(answer[3]), signed_a % signed_by)
            << signed_a << " % " << signed_by;
      }
  }
}

TEST(Index, quotients_by_a_shared_divisor_are_exact) { expect_exact("d[j]", 0); }

TEST(Index, quotients_by_divisors_of_the_lanes_are_exact) { expect_exact("d[(j + i) % many]", 1); }

// Of 32 bits with and without a sign, beyond half of their range.
TEST(Index, gathered_elements_are_those_of_their_indices) {
  constexpr unsigned half = 0x80000000;
  std::vector<unsigned> values(64), indices(64);
  for (unsigned i = 0; i < 64; ++i) values[i] = 1000 + i, indices[i] = half - 32 + i * 37 % 64;
  for (const auto bits : widths) {
    const auto answers = words(run_kernel(
        R"(
kernel void k(device const uint* values [[buffer(0)]], device const uint* indices [[buffer(1)]],
              device uint* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  device const uint* from = values - (0x80000000ul - 32);
  device const uint* middle = values + 32;
  if (i % 5 != 0) out[i] = from[indices[i]];
  out[64 + i] = middle[int(indices[i] - 0x80000000u)];
  (out + 128)[indices[i] - (0x80000000u - 32)] = i;
})",
        {{holding(values), holding(indices), empty(192)}, {64}, {64}, {.vector_bits = bits}}));
    ASSERT_EQ(answers.size(), 192U);
    for (unsigned i = 0; i < 64; ++i) {
      const auto at = i * 37 % 64;
      EXPECT_EQ(answers[i], i % 5 == 0 ? 0 : 1000 + at);
      EXPECT_EQ(answers[64 + i], 1000 + at);
      EXPECT_EQ(answers[128 + at], i);
    }
  }
}

// Elements of all sizes and private memory, where some lanes do not run. Of two lanes that store at
// one address, the later one is the last.
TEST(Index, lanes_that_run_store_at_addresses_of_their_own) {
  std::vector<unsigned> indices(64), halves(64), before(752);
  for (unsigned i = 0; i < 64; ++i)
    indices[i] = i * 37 % 64, halves[i] = i / 2, before[528 + i] = 0xff000000;
  for (const auto bits : widths) {
    const auto answers = words(run_kernel(
        R"(
struct Packed { uint first : 24; uchar last; };
kernel void k(device const uint* indices [[buffer(0)]], device const uint* halves [[buffer(1)]],
              device uint* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  uint own[8];
  for (uint j = 0; j < 8; ++j) own[j] = j;
  if (i % 3 != 0) {
    const uint at = indices[i];
    out[at] = 1000 + i;
    ((device uint2*)(out + 64))[at] = uint2(i, 7 * i);
    ((device uchar*)(out + 192))[at] = uchar(i);
    ((device ushort*)(out + 208))[at] = ushort(300 * i);
    ((device half*)(out + 240))[at] = half(i);
    ((device uint4*)(out + 272))[at].xyz = uint3(i, i + 1, i + 2);
    ((device Packed*)(out + 528))[at].first = 4097 * i;
    out[592 + halves[i]] = i;
    ((device uint2*)(out + 624))[halves[i]] = i;
    own[at % 8] = 100 + i;
  }
  out[688 + i] = own[indices[i] % 8] + own[(indices[i] + 1) % 8];
})",
        {{holding(indices), holding(halves), holding(before)}, {64}, {64}, {.vector_bits = bits}}));
    ASSERT_EQ(answers.size(), 752U);
    const auto half_at = [&](unsigned at) {
      const auto element = static_cast<unsigned short>(answers[240 + at / 2] >> 16 * (at % 2));
      return get_element("half", std::as_bytes(std::span(&element, 1)), 0);
    };
    for (unsigned i = 0; i < 64; ++i) {
      const bool runs = i % 3 != 0;
      const auto at = indices[i];
      EXPECT_EQ(answers[at], runs ? 1000 + i : 0);
      EXPECT_EQ(answers[64 + 2 * at], runs ? i : 0);
      EXPECT_EQ(answers[65 + 2 * at], runs ? 7 * i : 0);
      EXPECT_EQ(answers[192 + at / 4] >> 8 * (at % 4) & 255, runs ? i : 0);
      EXPECT_EQ(answers[208 + at / 2] >> 16 * (at % 2) & 65535, runs ? 300 * i : 0);
      EXPECT_EQ(half_at(at), runs ? i : 0);
      EXPECT_EQ(answers[272 + 4 * at], runs ? i : 0);
      EXPECT_EQ(answers[274 + 4 * at], runs ? i + 2 : 0);
      EXPECT_EQ(answers[275 + 4 * at], 0U);
      EXPECT_EQ(answers[528 + at], 0xff000000 | (runs ? 4097 * i : 0));
      EXPECT_EQ(answers[688 + i], (runs ? 100 + i : at % 8) + (at + 1) % 8);
      if (i % 2 == 0) continue;
      const auto last = i % 3 != 0 ? i : i - 1;  // one of the two runs
      EXPECT_EQ(answers[592 + i / 2], last);
      EXPECT_EQ(answers[624 + i - 1], last);
      EXPECT_EQ(answers[624 + i], last);
    }
  }
}

// An address whose index belongs to another block than the access.
TEST(Index, an_address_serves_the_blocks_behind_its_own) {
  std::vector<unsigned> values(64), indices(64);
  for (unsigned i = 0; i < 64; ++i) values[i] = 1000 + i, indices[i] = i * 37 % 64;
  for (const auto bits : widths) {
    const auto answers = words(run_kernel(
        R"(
kernel void k(device const uint* values [[buffer(0)]], device const uint* indices [[buffer(1)]],
              device uint* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const uint at = indices[i] + 1;
  uint x = values[at - 1];
  for (uint k = 0; k < i % 4; ++k) x = 3 * x + values[k];
  out[at - 1] = x;
  threadgroup_barrier(mem_flags::mem_device);
  if (i % 2 == 0) out[at - 1] += i;
})",
        {{holding(values), holding(indices), empty(64)}, {64}, {64}, {.vector_bits = bits}}));
    ASSERT_EQ(answers.size(), 64U);
    for (unsigned i = 0; i < 64; ++i) {
      auto x = values[i * 37 % 64];
      for (unsigned k = 0; k < i % 4; ++k) x = 3 * x + values[k];
      EXPECT_EQ(answers[i * 37 % 64], x + (i % 2 == 0 ? i : 0)) << i;
    }
  }
}

// Rows are vectors inside of the field and are not at its edges; some threads have no cell.
TEST(Index, neighbours_on_a_ring_are_those_of_the_field) {
  for (const auto bits : widths)
    for (const auto& [threads, width] :
         {std::pair{Extent{32, 2}, 70U}, {Extent{16, 16}, 40U}, {Extent{8, 8}, 33U}, {{64}, 64U}}) {
      const unsigned height = 5, cells = width * height;
      std::vector<unsigned> field(cells);
      for (unsigned i = 0; i < cells; ++i) field[i] = i * i;
      const auto up = [](unsigned a, unsigned b) { return (a + b - 1) / b * b; };
      const auto answers =
          words(run_kernel(R"(
kernel void k(device const uint* in [[buffer(0)]], constant uint& width [[buffer(1)]],
              constant uint& height [[buffer(2)]], device uint* out [[buffer(3)]],
              uint2 cell [[thread_position_in_grid]]) {
  const uint i = cell.x, j = cell.y;
  if (i >= width || j >= height) return;
  const uint left = i == 0 ? width - 1 : i - 1;
  const uint right = (i + 1) % width;
  const uint above = (j + height - 1) % height;
  out[j * width + i] = in[j * width + left] + 3 * in[j * width + right] + 5 * in[above * width + i] -
                       in[above * width + right];
})",
                           {{holding(field), holding({width}), holding({height}), empty(cells)},
                            {up(width, threads.x), up(height, threads.y)},
                            threads,
                            {.vector_bits = bits}}));
      ASSERT_EQ(answers.size(), cells);
      for (unsigned j = 0; j < height; ++j)
        for (unsigned i = 0; i < width; ++i) {
          const auto at = [&](unsigned x, unsigned y) {
            return field[y % height * width + x % width];
          };
          EXPECT_EQ(answers[j * width + i], at(i + width - 1, j) + 3 * at(i + 1, j) +
                                                5 * at(i, j + height - 1) -
                                                at(i + 1, j + height - 1))
              << width << ": " << i << ", " << j;
        }
    }
}

// Functions of the library run on pieces of a simdgroup, of which some have no lane that runs.
TEST(Index, functions_leave_lanes_alone_that_do_not_run) {
  for (const auto bits : widths)
    for (const unsigned first : {0U, 5U, 8U, 16U, 31U}) {
      const auto answers =
          words(run_kernel(R"(
kernel void k(constant uint& first [[buffer(0)]], device float* out [[buffer(1)]],
              uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  float x = -1;
  if (lane >= first && lane < first + 8) x = sin(float(i)) + cos(float(i));
  out[i] = x;
})",
                           {{holding({first}), empty(64)}, {64}, {64}, {.vector_bits = bits}}));
      ASSERT_EQ(answers.size(), 64U);
      for (unsigned i = 0; i < 64; ++i) {
        const auto lane = i % 32;
        const bool runs = lane >= first && lane < first + 8;
        const auto angle = static_cast<float>(i);
        EXPECT_NEAR(std::bit_cast<float>(answers[i]),
                    runs ? std::sin(angle) + std::cos(angle) : -1.0F, 1e-5F)
            << i;
      }
    }
}

}  // namespace
}  // namespace msci
