#include "evaluator/score/dtype.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace msci {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are little-endian");
static_assert(std::numeric_limits<long double>::digits >= 64, "value_of promises 64 bits");

struct Row {
  Dtype dtype;
  std::string_view name;
  std::size_t bytes;
  int digits;  // the tolerance is 2^-digits
};

// In the enumerators' order.
constexpr std::array rows = {
    Row{Dtype::float64, "float64", 8, 13},
    Row{Dtype::float32, "float32", 4, 13},
    Row{Dtype::float16, "float16", 2, 10},
    Row{Dtype::bfloat16, "bfloat16", 2, 7},
    Row{Dtype::hifloat32, "hifloat32", 4, 11},
    Row{Dtype::float8_e4m3, "float8_e4m3", 1, 3},
    Row{Dtype::float8_e5m2, "float8_e5m2", 1, 2},
    Row{Dtype::int8, "int8", 1, 13},
    Row{Dtype::uint8, "uint8", 1, 13},
    Row{Dtype::int16, "int16", 2, 13},
    Row{Dtype::uint16, "uint16", 2, 13},
    Row{Dtype::int32, "int32", 4, 13},
    Row{Dtype::uint32, "uint32", 4, 13},
    Row{Dtype::int64, "int64", 8, 13},
    Row{Dtype::uint64, "uint64", 8, 13},
    Row{Dtype::boolean, "bool", 1, 13},
};

const Row& row_of(Dtype dtype) { return rows[static_cast<std::size_t>(dtype)]; }

template <typename T>
T load(std::span<const std::byte> element) {
  T value = {};
  std::memcpy(&value, element.data(), sizeof value);
  return value;
}

// How a short float's bits are laid out, below its sign.
struct Layout {
  int exponent_bits = 0;
  int mantissa_bits = 0;
  bool infinities = true;  // else the top exponent is one like the others, but for all ones: NaN
};

long double decode(unsigned bits, Layout layout) {
  const unsigned top_exponent = (1U << layout.exponent_bits) - 1;
  const unsigned top_mantissa = (1U << layout.mantissa_bits) - 1;
  const unsigned mantissa = bits & top_mantissa;
  const unsigned exponent = bits >> layout.mantissa_bits & top_exponent;
  const bool negative = bits >> (layout.mantissa_bits + layout.exponent_bits) & 1U;
  const int bias = static_cast<int>(top_exponent / 2);
  long double value = 0;
  if (exponent == top_exponent && (layout.infinities ? mantissa != 0 : mantissa == top_mantissa))
    value = std::numeric_limits<long double>::quiet_NaN();
  else if (exponent == top_exponent && layout.infinities)
    value = std::numeric_limits<long double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(static_cast<long double>(mantissa), 1 - bias - layout.mantissa_bits);
  else
    value = std::ldexp(static_cast<long double>(mantissa + top_mantissa + 1),
                       static_cast<int>(exponent) - bias - layout.mantissa_bits);
  return negative ? -value : value;
}

}  // namespace

std::string_view to_string(Dtype dtype) { return row_of(dtype).name; }

std::optional<Dtype> find_dtype(std::string_view name) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Row& each) { return each.name == name; });
  return row == rows.end() ? std::nullopt : std::optional(row->dtype);
}

std::size_t bytes_of(Dtype dtype) { return row_of(dtype).bytes; }

double tolerance_of(Dtype dtype) { return std::ldexp(1.0, -row_of(dtype).digits); }

long double value_of(Dtype dtype, std::span<const std::byte> element) {
  assert(element.size() == bytes_of(dtype));
  switch (dtype) {
    case Dtype::float64:
      return load<double>(element);
    case Dtype::float32:
    case Dtype::hifloat32:
      return load<float>(element);
    case Dtype::float16:
      return decode(load<std::uint16_t>(element), {.exponent_bits = 5, .mantissa_bits = 10});
    case Dtype::bfloat16:
      return decode(load<std::uint16_t>(element), {.exponent_bits = 8, .mantissa_bits = 7});
    case Dtype::float8_e4m3:
      return decode(load<std::uint8_t>(element),
                    {.exponent_bits = 4, .mantissa_bits = 3, .infinities = false});
    case Dtype::float8_e5m2:
      return decode(load<std::uint8_t>(element), {.exponent_bits = 5, .mantissa_bits = 2});
    case Dtype::int8:
      return load<std::int8_t>(element);
    case Dtype::uint8:
      return load<std::uint8_t>(element);
    case Dtype::int16:
      return load<std::int16_t>(element);
    case Dtype::uint16:
      return load<std::uint16_t>(element);
    case Dtype::int32:
      return load<std::int32_t>(element);
    case Dtype::uint32:
      return load<std::uint32_t>(element);
    case Dtype::int64:
      return load<std::int64_t>(element);
    case Dtype::uint64:
      return load<std::uint64_t>(element);
    case Dtype::boolean:
      return load<std::uint8_t>(element) != 0;
  }
  assert(false && "every dtype is listed");
  return 0;
}

}  // namespace msci
