// The numbers that kernels may compare sizes and inputs with.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/instruments.h"

namespace msci {
namespace {

KernelNumbers numbers_of(const std::string& body,
                         TranslationPurpose purpose = TranslationPurpose::running) {
  auto unit = parse({"numbers.metal", fmt::format(R"(#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {{
  {}
}}
)",
                                                  body)});
  EXPECT_TRUE(unit && unit->compiled());
  const auto translation = translate(*unit, {}, {}, purpose);
  EXPECT_TRUE(translation) << translation.error().message;
  return translation->numbers;
}

using Integers = std::vector<unsigned>;
using Reals = std::vector<float>;

TEST(KernelNumbers, are_those_that_the_code_compares_with) {
  EXPECT_EQ(numbers_of("if (n == 601) x[i] = 1;").integers, Integers{601});
  EXPECT_EQ(numbers_of("if (n - 601 == i) x[i] = 1;").integers, Integers{601});
  EXPECT_EQ(numbers_of("uint half_of = 300; if (n == 2 * half_of + 1) x[i] = 1;").integers,
            Integers{601});
  EXPECT_EQ(
      numbers_of("switch (n) { case 77: x[i] = 1; break; case 601: x[i] = x[i + 1]; }").integers,
      (Integers{77, 601}));
  EXPECT_EQ(numbers_of("x[i] = float(min(n, 601u));").integers, Integers{601});
}

TEST(KernelNumbers, have_real_ones_without_their_signs) {
  EXPECT_EQ(numbers_of("if (x[i] == -12.0f) x[i] = 0.75f;").reals, (Reals{0.75F, 12}));
}

TEST(KernelNumbers, leave_out_what_no_size_is_compared_with) {
  EXPECT_EQ(numbers_of("x[601] = 0;"), KernelNumbers{});
}

// The text of a kernel with simdgroup functions has helpers of ours, with numbers of their own.
TEST(KernelNumbers, are_not_those_of_the_translation) {
  for (const auto purpose : {TranslationPurpose::running, TranslationPurpose::covering}) {
    const auto plain = numbers_of("if (n == 601) x[i] = 1;", purpose);
    const auto shuffled =
        numbers_of("float a = simd_shuffle(x[i], 9); if (n == 601) x[i] = a;", purpose);
    EXPECT_EQ(shuffled.integers, plain.integers);
  }
}

}  // namespace
}  // namespace msci
