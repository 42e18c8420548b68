// The dtype rule at its edges; every expectation is computed by hand beside it.
#include "evaluator/score/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace msci {
namespace {

using Answer = ComparisonResult::Answer;

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

template <typename T>
ArrayView view(Dtype dtype, const std::vector<T>& values) {
  return {dtype, {values.size()}, std::as_bytes(std::span(values))};
}

ComparisonResult floats(const std::vector<float>& actual, const std::vector<float>& golden,
                        ComparisonRule rule = {}) {
  return compare(view(Dtype::float32, actual), view(Dtype::float32, golden), rule);
}

template <typename T>
long double value(Dtype dtype, T bits) {
  return value_of(dtype, std::as_bytes(std::span(&bits, 1)));
}

TEST(Dtype, has_one_name_each) {
  for (const auto dtype : {Dtype::float64, Dtype::float8_e4m3, Dtype::int64, Dtype::boolean})
    EXPECT_EQ(find_dtype(to_string(dtype)), dtype);
  EXPECT_EQ(to_string(Dtype::boolean), "bool");
  EXPECT_FALSE(find_dtype("float"));
}

TEST(Dtype, asks_each_for_what_it_can_hold) {
  EXPECT_EQ(tolerance_of(Dtype::float16), 1.0 / 1024);
  EXPECT_EQ(tolerance_of(Dtype::bfloat16), 1.0 / 128);
  EXPECT_EQ(tolerance_of(Dtype::float32), 1.0 / 8192);
  EXPECT_EQ(tolerance_of(Dtype::hifloat32), 1.0 / 2048);
  EXPECT_EQ(tolerance_of(Dtype::float8_e4m3), 1.0 / 8);
  EXPECT_EQ(tolerance_of(Dtype::float8_e5m2), 1.0 / 4);
  EXPECT_EQ(tolerance_of(Dtype::int32), 1.0 / 8192);
  EXPECT_EQ(tolerance_of(Dtype::float64), 1.0 / 8192);
}

TEST(Dtype, reads_half_precision) {
  const auto half = [](std::uint16_t bits) { return value(Dtype::float16, bits); };
  EXPECT_EQ(half(0x3c00), 1);
  EXPECT_EQ(half(0xc000), -2);
  EXPECT_EQ(half(0x7bff), 65504);               // the largest
  EXPECT_EQ(half(0x0001), std::ldexp(1, -24));  // the smallest subnormal
  EXPECT_EQ(half(0x0400), std::ldexp(1, -14));  // the smallest normal
  EXPECT_EQ(half(0x7c00), infinity);
  EXPECT_EQ(half(0xfc00), -infinity);
  EXPECT_TRUE(std::isnan(half(0x7e00)));
  EXPECT_TRUE(std::signbit(half(0x8000)));
}

TEST(Dtype, reads_bfloat16_as_the_upper_half_of_a_float) {
  EXPECT_EQ(value<std::uint16_t>(Dtype::bfloat16, 0x3f80), 1);
  EXPECT_EQ(value<std::uint16_t>(Dtype::bfloat16, 0x4049), 3.140625L);
  EXPECT_EQ(value<std::uint16_t>(Dtype::bfloat16, 0xff80), -infinity);
  EXPECT_EQ(value<std::uint16_t>(Dtype::bfloat16, 0x0001), std::ldexp(1.0L, -133));
}

TEST(Dtype, reads_both_bytes_of_eight_bits) {
  const auto e4m3 = [](std::uint8_t bits) { return value(Dtype::float8_e4m3, bits); };
  EXPECT_EQ(e4m3(0x38), 1);
  EXPECT_EQ(e4m3(0x7e), 448);  // the largest: no exponent is kept for infinities
  EXPECT_EQ(e4m3(0xfe), -448);
  EXPECT_TRUE(std::isnan(e4m3(0x7f)));
  EXPECT_TRUE(std::isnan(e4m3(0xff)));
  EXPECT_EQ(e4m3(0x01), std::ldexp(1, -9));
  const auto e5m2 = [](std::uint8_t bits) { return value(Dtype::float8_e5m2, bits); };
  EXPECT_EQ(e5m2(0x3c), 1);
  EXPECT_EQ(e5m2(0x7b), 57344);
  EXPECT_EQ(e5m2(0x7c), infinity);
  EXPECT_TRUE(std::isnan(e5m2(0x7d)));
  EXPECT_EQ(e5m2(0x01), std::ldexp(1, -16));
}

TEST(Dtype, reads_integers_exactly) {
  EXPECT_EQ(value<std::int8_t>(Dtype::int8, -128), -128);
  EXPECT_EQ(value<std::uint64_t>(Dtype::uint64, ~std::uint64_t{0}), 18446744073709551615.0L);
  EXPECT_EQ(value<std::int64_t>(Dtype::int64, std::numeric_limits<std::int64_t>::min() + 1),
            -9223372036854775807.0L);
  EXPECT_EQ(value<std::uint8_t>(Dtype::boolean, 7), 1);
}

TEST(Compare, gives_the_mean_and_the_largest_relative_error) {
  // |1.5 - 1| / 1 = 0.5 and |4 - 4| / 4 = 0.
  const auto result = floats({1.5, 4}, {1, 4});
  EXPECT_EQ(result.answer, Answer::failed);
  EXPECT_DOUBLE_EQ(*result.mere, 0.25);
  EXPECT_DOUBLE_EQ(*result.mare, 0.5);
  EXPECT_EQ(result.reason, "the mean relative error is 2.500e-01, not below 1.221e-04");
}

TEST(Compare, an_error_of_exactly_the_tolerance_fails) {
  const float t = 1.0F / 8192;
  EXPECT_EQ(floats({1 + t}, {1}).answer, Answer::failed);
  EXPECT_EQ(floats({1 + t / 2}, {1}).answer, Answer::passed);
}

TEST(Compare, the_largest_error_may_be_under_ten_times_the_mean_error_allowed) {
  const float t = 1.0F / 8192;
  std::vector<float> golden(100, 1);
  auto actual = golden;
  actual[7] = 1 + 10 * t;  // a mean of t / 10
  const auto result = floats(actual, golden);
  EXPECT_EQ(result.answer, Answer::failed);
  EXPECT_EQ(result.reason, "the largest relative error is 1.221e-03, not below 1.221e-03");
  actual[7] = 1 + 9 * t;
  EXPECT_EQ(floats(actual, golden).answer, Answer::passed);
}

TEST(Compare, below_t_the_error_is_measured_against_t) {
  // 100 and a golden of t/4 that comes out as t/2: an error of (t/4)/t = 1/4, not of 1.
  const float t = 1.0F / 8192;
  EXPECT_DOUBLE_EQ(*floats({100, t / 2}, {100, t / 4}).mare, 0.25);
}

TEST(Compare, does_not_certify_what_zeros_would_pass) {
  // Zeros pass for mean |g| < t^2 = 1.49e-8.
  const auto result = floats({1e-9F, -1e-9F}, {1e-9F, -1e-9F});
  EXPECT_EQ(result.answer, Answer::not_certified);
  EXPECT_NE(result.reason.find("zeros would pass"), std::string::npos);
  EXPECT_EQ(floats({2e-8F}, {2e-8F}).answer, Answer::passed);
  EXPECT_EQ(floats({0, 0}, {0, 0}).answer, Answer::not_certified);
  EXPECT_EQ(floats({1, 0}, {0, 0}).answer, Answer::failed) << "wrong stays wrong";
}

TEST(Compare, negative_zero_is_zero) {
  EXPECT_EQ(floats({-0.0F, 1}, {0.0F, 1}).answer, Answer::passed);
}

TEST(Compare, nan_must_stand_where_nan_stands) {
  EXPECT_EQ(floats({1, nan_value}, {1, 2}).reason, "element 1 is NaN");
  EXPECT_EQ(floats({1, nan_value}, {1, 2}).answer, Answer::failed);
  EXPECT_EQ(floats({1, 2}, {1, nan_value}, {.golden_may_have_nan = true}).answer, Answer::failed);
  EXPECT_EQ(floats({1, nan_value}, {1, nan_value}, {.golden_may_have_nan = true}).answer,
            Answer::passed);
}

TEST(Compare, a_golden_with_nan_certifies_nothing_unless_the_task_says_so) {
  const auto result = floats({1, nan_value}, {1, nan_value});
  EXPECT_EQ(result.answer, Answer::not_certified);
  EXPECT_EQ(result.reason, "element 1 of the golden array is NaN");
}

TEST(Compare, infinities_have_places_and_signs) {
  EXPECT_EQ(floats({1, infinity}, {1, infinity}).answer, Answer::passed);
  EXPECT_EQ(floats({1, -infinity}, {1, infinity}).answer, Answer::failed);
  EXPECT_EQ(floats({1, 3e38F}, {1, infinity}).answer, Answer::failed);
  EXPECT_EQ(floats({infinity, 1}, {1, 1}).reason, "element 0 is inf, not 1");
  const auto nothing_finite = floats({infinity}, {infinity});
  EXPECT_EQ(nothing_finite.answer, Answer::passed) << "zeros would not";
  EXPECT_FALSE(nothing_finite.mere);
}

TEST(Compare, booleans_are_equal_or_not) {
  using Bytes = std::vector<std::uint8_t>;
  const auto answer = [](const Bytes& actual, const Bytes& golden) {
    return compare(view(Dtype::boolean, actual), view(Dtype::boolean, golden)).answer;
  };
  Bytes golden(100000, 1);
  auto actual = golden;
  EXPECT_EQ(answer(actual, golden), Answer::passed);
  actual[5] = 0;  // one in 100,000 would pass a mean
  EXPECT_EQ(answer(actual, golden), Answer::failed);
  EXPECT_EQ(answer({2, 0}, {1, 0}), Answer::passed) << "any bits but zero are true";
  EXPECT_EQ(answer({0, 0}, {0, 0}), Answer::not_certified);
}

TEST(Compare, integers_follow_the_rule_for_others) {
  using Integers = std::vector<std::int64_t>;
  const auto answer = [](const Integers& actual, const Integers& golden) {
    return compare(view(Dtype::int64, actual), view(Dtype::int64, golden)).answer;
  };
  EXPECT_EQ(answer({100000}, {100001}), Answer::passed);  // 1e-5
  EXPECT_EQ(answer({1000}, {1001}), Answer::failed);      // 1e-3
  EXPECT_EQ(answer({0}, {0}), Answer::not_certified);
}

TEST(Compare, short_floats_are_compared_in_long_ones) {
  // 1 and the next half: 2^-10, which is t itself.
  const std::vector<std::uint16_t> one{0x3c00}, next{0x3c01};
  EXPECT_EQ(compare(view(Dtype::float16, next), view(Dtype::float16, one)).answer, Answer::failed);
  const std::vector<std::uint8_t> byte_one{0x38}, byte_next{0x39};  // 1.125: 2^-3
  EXPECT_EQ(compare(view(Dtype::float8_e4m3, byte_next), view(Dtype::float8_e4m3, byte_one)).answer,
            Answer::failed);
}

TEST(Compare, form_comes_before_values) {
  const std::vector<float> six(6, 1);
  const auto bytes = std::as_bytes(std::span(six));
  const ArrayView golden{Dtype::float32, {2, 3}, bytes};
  EXPECT_EQ(compare({Dtype::float32, {3, 2}, bytes}, golden).reason,
            "its shape is (3, 2), not (2, 3)");
  EXPECT_EQ(compare({Dtype::int32, {2, 3}, bytes}, golden).reason,
            "its elements are int32, not float32");
  EXPECT_EQ(compare({Dtype::float32, {2, 3}, bytes.first(20)}, golden).reason,
            "it has 20 bytes, not 24");
}

TEST(Compare, nothing_proves_nothing) {
  EXPECT_EQ(floats({}, {}).answer, Answer::not_certified);
  const float one = 1;
  const ArrayView scalar{Dtype::float32, {}, std::as_bytes(std::span(&one, 1))};
  EXPECT_EQ(compare(scalar, scalar).answer, Answer::passed) << "no shape is one element";
}

}  // namespace
}  // namespace msci
