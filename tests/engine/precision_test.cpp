// How exact the processor's arithmetic and functions are, in all forms of code.
#include <bit>
#include <cmath>
#include <limits>

#include "tests/engine/run_kernel.h"

namespace msci {
namespace {

const Execution forms[] = {
    {.vector_bits = 128}, {.vector_bits = 256}, {.vector_bits = 512}, {.lane_by_lane = true}};

PlanBuffer buffer_of(const std::vector<float>& values) {
  return {.bytes = 4 * values.size(), .initial = Bytes::of<float>(values)};
}

// What an expression of `x` and `y` gives for each pair.
std::vector<float> computed(const std::string& expression, const std::vector<float>& x,
                            const std::vector<float>& y, const Execution& form) {
  const auto count = static_cast<unsigned>(x.size());
  const auto kernel = fmt::format(R"(
kernel void k(device const float* xs [[buffer(0)]], device const float* ys [[buffer(1)]],
              device float* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {{
  const float x = xs[i], y = ys[i];
  out[i] = {};
}})",
                                  expression);
  std::vector<float> results;
  for (const auto word : words(
           run_kernel(kernel, {{buffer_of(x), buffer_of(y), empty(count)}, {count}, {256}, form})))
    results.push_back(std::bit_cast<float>(word));
  return results;
}

// Normal floats of all exponents from 2^low to 2^high.
std::vector<float> samples(int low, int high, bool with_negative) {
  std::vector<float> values;
  std::uint32_t random = 1;
  while (values.size() < 8192) {
    random = random * 1664525 + 1013904223;
    const auto exponent = static_cast<std::uint32_t>(127 + low) +
                          (random >> 9) % static_cast<std::uint32_t>(high - low);
    const auto sign = with_negative && random >> 31 ? 0x80000000U : 0;
    values.push_back(std::bit_cast<float>(sign | exponent << 23 | (random * 2654435761U >> 9)));
  }
  return values;
}

// The largest error in units of the last place of the exact result.
template <typename Exact>
double worst_error(const std::string& expression, const std::vector<float>& x,
                   const std::vector<float>& y, Exact exact, const Execution& form) {
  const auto results = computed(expression, x, y, form);
  double worst = results.size() == x.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const double wanted = exact(static_cast<double>(x[i]), static_cast<double>(y[i]));
    const double unit = std::ldexp(1.0, std::max(std::ilogb(wanted), -126) - 23);
    const double error = std::abs(static_cast<double>(results[i]) - wanted) / unit;
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

TEST(Precision, divisions_and_roots_are_within_their_bounds) {
  const auto x = samples(-60, 60, true), y = samples(-60, 60, true);
  const auto positive = samples(-126, 127, false);
  for (const auto& form : forms) {
    SCOPED_TRACE(fmt::format("{} {}", form.vector_bits, form.lane_by_lane));
    const auto quotient = [](double a, double b) { return a / b; };
    EXPECT_LE(worst_error("x / y", x, y, quotient, form), 0.5);
    EXPECT_LE(worst_error(
                  "sqrt(x)", positive, y, [](double a, double) { return std::sqrt(a); }, form),
              0.5);
    EXPECT_LE(worst_error(
                  "rsqrt(x)", positive, y, [](double a, double) { return 1 / std::sqrt(a); }, form),
              2);
  }
}

TEST(Precision, functions_are_within_four_units) {
  const auto angles = samples(-20, 6, true), exponents = samples(-20, 6, true);
  const auto positive = samples(-100, 100, false);
  for (const auto& form : forms) {
    SCOPED_TRACE(fmt::format("{} {}", form.vector_bits, form.lane_by_lane));
    const auto one = [&](const char* expression, const std::vector<float>& x,
                         double (*exact)(double)) {
      EXPECT_LE(worst_error(
                    expression, x, x, [&](double a, double) { return exact(a); }, form),
                4)
          << expression;
    };
    one("sin(x)", angles, std::sin);
    one("cos(x)", angles, std::cos);
    one("exp(x)", exponents, std::exp);
    one("log(x)", positive, std::log);
  }
}

TEST(Precision, of_the_reciprocal_root_special_values_are_exact) {
  constexpr auto infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x{0.0F, -0.0F, infinity, 1e-40F, -1.0F, NAN, 1.0F, 4.0F};
  for (const auto& form : forms) {
    const auto results = computed("rsqrt(x)", x, x, form);
    ASSERT_EQ(results.size(), x.size());
    EXPECT_EQ(results[0], infinity);
    EXPECT_EQ(std::abs(results[1]), infinity);
    EXPECT_EQ(results[2], 0);
    EXPECT_EQ(results[3], infinity);
    EXPECT_TRUE(std::isnan(results[4]));
    EXPECT_TRUE(std::isnan(results[5]));
    EXPECT_EQ(results[6], 1);
    EXPECT_EQ(results[7], 0.5F);
  }
}

TEST(Precision, denormals_are_zero) {
  const std::vector<float> x(64, 1e-40F), y(64, 1e-30F);
  for (const auto& form : forms) {
    for (const auto result : computed("x * 1e10f", x, y, form)) EXPECT_EQ(result, 0);
    for (const auto result : computed("y * 1e-10f", x, y, form)) EXPECT_EQ(result, 0);
  }
}

}  // namespace
}  // namespace msci
