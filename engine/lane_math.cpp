#include "engine/lane_math.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace msci::engine {
namespace {

template <typename Function, typename R, typename... A>
void call_on_lanes(R* results, std::uint32_t lanes, const A*... arguments) {
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1U) results[lane] = Function{}(arguments[lane]...);
}

// A function that calls `function` on the lanes of a mask.
template <typename Function>
void* on_lanes(Function function) {
  const auto address = [&]<typename R, typename... A>(R (*)(A...)) {
    return reinterpret_cast<void*>(&call_on_lanes<Function, R, A...>);
  };
  return address(+function);
}

// Exact at the points where sin and cos of pi*x are 0 or 1.
float sinpi(float x) {
  const double turn = std::remainder(static_cast<double>(x), 2.0);
  if (turn == 0 || std::abs(turn) == 1) return std::copysign(0.0F, x);
  return static_cast<float>(std::sin(std::numbers::pi * turn));
}
float cospi(float x) {
  const double turn = std::remainder(static_cast<double>(x), 2.0);
  if (std::abs(turn) == 0.5) return 0;
  return static_cast<float>(std::cos(std::numbers::pi * turn));
}
float tanpi(float x) {
  const double turn = std::remainder(static_cast<double>(x), 1.0);
  if (turn == 0) return std::copysign(0.0F, x);
  return static_cast<float>(std::tan(std::numbers::pi * turn));
}
float power(float x, int n) { return static_cast<float>(std::pow(static_cast<double>(x), n)); }
float fraction_of(float x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
}
int exponent_of(float x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return exponent;
}
float power_of_ten(float x) { return static_cast<float>(std::pow(10.0, static_cast<double>(x))); }

}  // namespace

RuntimeFunctions lane_math() {
#define MSCI_SIGNATURE_one (float x)->float
#define MSCI_SIGNATURE_two (float x, float y)->float
#define MSCI_SIGNATURE_with_integer (float x, int n)->float
#define MSCI_SIGNATURE_to_integer (float x)->int
#define MSCI_MATH(...)
#define MSCI_INTRINSIC(...)
#define MSCI_LANE_FUNCTION(name, shape, has_vector_form, ...) \
  {"msci_engine_" #name, on_lanes([] MSCI_SIGNATURE_##shape { return __VA_ARGS__; })},
  return {
#include "compiler/ir/builtins.def"
  };
#undef MSCI_SIGNATURE_one
#undef MSCI_SIGNATURE_two
#undef MSCI_SIGNATURE_with_integer
#undef MSCI_SIGNATURE_to_integer
}

}  // namespace msci::engine
