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

// Each in a place of its own, so that the lines tell them apart.
constexpr std::string_view lacks_values = R"(#include <metal_stdlib>
using namespace metal;
constant bool wide [[function_constant(0)]];
constant uint groups [[function_constant(1)]];
kernel void chooses(device float* x [[buffer(0)]]) {
  x[0] = wide ? 2 : 3;
}
kernel void counts(device float* x [[buffer(0)]]) {
  x[0] = groups;
}
)";

TEST(TranslateApart, ListsEachKernelThatLacksTheValueOfAFunctionConstant) {
  auto unit = unit_of(std::string(lacks_values) +
                      "kernel void plain(device float* x [[buffer(0)]]) { x[0] = 1; }\n");
  ASSERT_TRUE(unit && unit->compiled());
  const auto apart = translate_apart(*unit, {}, {}, {});
  ASSERT_TRUE(apart) << apart.error().message;
  ASSERT_EQ(apart->kernels.size(), 1u);
  EXPECT_EQ(apart->kernels.front().name, "plain");
  ASSERT_EQ(apart->refused.size(), 2u);
  EXPECT_TRUE(apart->refused[0].reason.starts_with("line 6: cannot translate kernel 'chooses'"))
      << apart->refused[0].reason;
  EXPECT_TRUE(apart->refused[1].reason.starts_with("line 9: cannot translate kernel 'counts'"))
      << apart->refused[1].reason;
}

TEST(TranslateApart, NamesTheMissingValueBehindAReference) {
  auto unit = unit_of(std::string(lacks_values) + R"(
struct Shape { uint rows, columns; };
constant Shape shape = {groups, 2 * groups};
static uint size_of(constant uint& rows, constant uint& columns) { return rows * columns; }
kernel void fills(device float* x [[buffer(0)]]) { x[0] = size_of(shape.rows, shape.columns); }
kernel void reads(device float* x [[buffer(0)]]) { x[0] = size_of(groups, groups); }
)");
  ASSERT_TRUE(unit && unit->compiled());
  const auto apart = translate_apart(*unit, {}, {}, {});
  ASSERT_TRUE(apart) << apart.error().message;
  ASSERT_EQ(apart->refused.size(), 4u);
  EXPECT_NE(apart->refused[2].reason.find("the constant 'shape', whose value depends on"),
            std::string::npos)
      << apart->refused[2].reason;
  EXPECT_NE(apart->refused[3].reason.find("'groups', which has no value"), std::string::npos)
      << apart->refused[3].reason;
}

TEST(TranslateApart, ListsAllReasonsWhereNoKernelIsLeft) {
  auto unit = unit_of(lacks_values);
  ASSERT_TRUE(unit && unit->compiled());
  const auto apart = translate_apart(*unit, {}, {}, {});
  ASSERT_TRUE(apart) << apart.error().message;
  EXPECT_TRUE(apart->kernels.empty());
  EXPECT_EQ(apart->refused.size(), 2u);
  const auto named = translate_apart(*unit, {"counts"}, {}, {});
  ASSERT_FALSE(named);
  EXPECT_NE(named.error().message.find("'groups', which has no value"), std::string::npos);
  const auto given = translate_apart(*unit, {"counts"}, {{"groups", "3"}}, {});
  EXPECT_TRUE(given) << given.error().message;
}

}  // namespace
}  // namespace msci
