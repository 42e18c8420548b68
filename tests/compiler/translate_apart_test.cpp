// Kernels that are translated apart: as together, and what one of them exceeds concerns that one
// only.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/translate.h"

namespace msci {
namespace {

// Kernels that share a table, a helper of the text and functions of simdgroups.
constexpr std::string_view library = R"(#include <metal_stdlib>
using namespace metal;
constant uint primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
template <typename T>
kernel void weigh(device T* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = T(reverse_bits(primes[i % 8]) + simd_sum(uint(x[i])));
}
template <typename T, int N>
kernel void add(device T* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] += T(N); }
#define ADD(N) template [[host_name("add_" #N)]] kernel void add<float, N>(device float*, uint);
ADD(1) ADD(2) ADD(3) ADD(4) ADD(5) ADD(6) ADD(7) ADD(8) ADD(9)
template [[host_name("weigh_float")]] kernel void weigh(device float*, uint);
template [[host_name("weigh_half")]] kernel void weigh(device half*, uint);
template [[host_name("weigh_uint")]] kernel void weigh(device uint*, uint);
)";

// A kernel with thousands of statements beside a small one.
std::string with_large_kernel() {
  std::string text =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void small(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] "
      "= "
      "1; }\n"
      "kernel void large(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n";
  for (int i = 0; i < 20000; ++i) text += fmt::format("x[i + {}] = sin(x[{}] * x[i]);\n", i, 3 * i);
  return text + "}\n";
}

Result<Unit> unit_of(std::string_view text) { return parse({"library.metal", std::string(text)}); }

TEST(TranslateApart, GivesWhatOneProcessGives) {
  auto unit = unit_of(library);
  ASSERT_TRUE(unit && unit->compiled());
  const auto together = translate(*unit);
  ASSERT_TRUE(together) << together.error().message;
  std::size_t most = 0;
  const auto apart =
      translate_apart(*unit, {}, {}, {.at_once = 2, .on_progress = [&](auto done, auto count) {
                                        most = std::max(most, done);
                                        EXPECT_EQ(count, 12u);
                                      }});
  ASSERT_TRUE(apart) << apart.error().message;
  EXPECT_EQ(most, 12u);
  EXPECT_EQ(apart->text, together->text);
  EXPECT_EQ(apart->kernels, together->kernels);
  EXPECT_TRUE(apart->ir.empty());
}

TEST(TranslateApart, TakesNames) {
  auto unit = unit_of(library);
  ASSERT_TRUE(unit && unit->compiled());
  const auto apart = translate_apart(*unit, {"*_half", "weigh_uint"}, {}, {});
  ASSERT_TRUE(apart) << apart.error().message;
  ASSERT_EQ(apart->kernels.size(), 2u);
  EXPECT_EQ(apart->kernels[0].name, "weigh_half");
  EXPECT_EQ(apart->kernels[1].name, "weigh_uint");
  const auto unknown = translate_apart(*unit, {"weight"}, {}, {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "kernel 'weight' not found in this source");
}

TEST(TranslateApart, RefusesWhatExceedsALimitAndKeepsTheRest) {
  auto unit = unit_of(with_large_kernel());
  ASSERT_TRUE(unit && unit->compiled());
  const Limits limits{.seconds = 60, .memory_bytes = std::size_t{24} << 20};
  const auto apart = translate_apart(*unit, {}, {}, {.limits = limits});
  ASSERT_TRUE(apart) << apart.error().message;
  ASSERT_EQ(apart->kernels.size(), 1u);
  EXPECT_EQ(apart->kernels.front().name, "small");
  ASSERT_EQ(apart->refused.size(), 1u);
  EXPECT_EQ(apart->refused.front().reason,
            "cannot translate kernel 'large': it takes more than 24 MiB of memory");
  const auto alone = translate_apart(*unit, {"large"}, {}, {.limits = limits});
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().message, apart->refused.front().reason);
}

}  // namespace
}  // namespace msci
