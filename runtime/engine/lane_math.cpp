#include "runtime/engine/lane_math.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace msci::engine {
namespace {

template <auto function, typename R, typename... A>
void on_lanes(R* results, std::uint32_t lanes, const A*... arguments) {
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1U) results[lane] = function(arguments[lane]...);
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
float exp10f(float x) { return static_cast<float>(std::pow(10.0, static_cast<double>(x))); }

}  // namespace

std::vector<std::pair<std::string, void*>> lane_math() {
#define ONE(name, ...)   \
  {"msci_engine_" #name, \
   reinterpret_cast<void*>(&on_lanes<[](float x) -> float { return __VA_ARGS__; }, float, float>)}
#define TWO(name, ...)      \
  {"msci_engine_" #name,    \
   reinterpret_cast<void*>( \
       &on_lanes<[](float x, float y) -> float { return __VA_ARGS__; }, float, float, float>)}
#define WITH_INT(name, ...) \
  {"msci_engine_" #name,    \
   reinterpret_cast<void*>( \
       &on_lanes<[](float x, int n) -> float { return __VA_ARGS__; }, float, float, int>)}
#define TO_INT(name, ...)                                                                          \
  {                                                                                                \
    "msci_engine_" #name,                                                                          \
        reinterpret_cast<void*>(&on_lanes<[](float x) -> int { return __VA_ARGS__; }, int, float>) \
  }
  return {
      ONE(sin, std::sin(x)),        ONE(cos, std::cos(x)),
      ONE(tan, std::tan(x)),        ONE(asin, std::asin(x)),
      ONE(acos, std::acos(x)),      ONE(atan, std::atan(x)),
      ONE(sinh, std::sinh(x)),      ONE(cosh, std::cosh(x)),
      ONE(tanh, std::tanh(x)),      ONE(asinh, std::asinh(x)),
      ONE(acosh, std::acosh(x)),    ONE(atanh, std::atanh(x)),
      ONE(exp, std::exp(x)),        ONE(exp2, std::exp2(x)),
      ONE(exp10, exp10f(x)),        ONE(log, std::log(x)),
      ONE(log2, std::log2(x)),      ONE(log10, std::log10(x)),
      ONE(sinpi, sinpi(x)),         ONE(cospi, cospi(x)),
      ONE(tanpi, tanpi(x)),         ONE(frexp_fraction, fraction_of(x)),
      TWO(pow, std::pow(x, y)),     TWO(atan2, std::atan2(x, y)),
      TWO(fmod, std::fmod(x, y)),   TWO(nextafter, std::nextafter(x, y)),
      WITH_INT(powi, power(x, n)),  WITH_INT(ldexp, std::ldexp(x, n)),
      TO_INT(ilogb, std::ilogb(x)), TO_INT(frexp_exponent, exponent_of(x)),
  };
#undef ONE
#undef TWO
#undef WITH_INT
#undef TO_INT
}

}  // namespace msci::engine
