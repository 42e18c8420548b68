#include "tasks/plan/elements.h"

#include <fmt/format.h>

#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace msci {
namespace {

// IEEE binary16, which C++20 has no type for.
struct Half {
  std::uint16_t bits = 0;

  Half() = default;
  explicit Half(double value) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const double magnitude = std::abs(value);
    if (std::isnan(value)) {
      bits = sign | 0x7e00;
    } else if (magnitude >= 65520) {  // rounds to infinity
      bits = sign | 0x7c00;
    } else {
      const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
      const auto steps = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
      // A carry out of the fraction goes where it belongs, into the exponent.
      bits = static_cast<std::uint16_t>(sign | (((exponent + 14) << 10) + steps));
    }
  }
  explicit operator double() const {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    const double magnitude = exponent == 31  ? (fraction ? std::nan("") : HUGE_VAL)
                             : exponent == 0 ? std::ldexp(fraction, -24)
                                             : std::ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
  }
};

// The upper half of a float.
struct BrainFloat {
  std::uint16_t bits = 0;

  BrainFloat() = default;
  explicit BrainFloat(double value) {
    const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const auto rounded = single + 0x7fff + (single >> 16 & 1);
    bits = static_cast<std::uint16_t>((std::isnan(value) ? single | 0x400000 : rounded) >> 16);
  }
  explicit operator double() const {
    return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16));
  }
};

// Calls `with` with a value of the type; false for an unknown type.
template <typename With>
bool with_type(std::string_view type, With with) {
  if (type == "float") return with(float{}), true;
  if (type == "half") return with(Half{}), true;
  if (type == "bfloat") return with(BrainFloat{}), true;
  if (type == "uint") return with(std::uint32_t{}), true;
  if (type == "int") return with(std::int32_t{}), true;
  if (type == "ushort") return with(std::uint16_t{}), true;
  if (type == "short") return with(std::int16_t{}), true;
  if (type == "uchar" || type == "bool") return with(std::uint8_t{}), true;
  if (type == "char") return with(std::int8_t{}), true;
  if (type == "ulong") return with(std::uint64_t{}), true;
  if (type == "long") return with(std::int64_t{}), true;
  return false;
}

template <typename T>
T converted(double value) {
  if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T> && sizeof(T) == 8)
    return static_cast<T>(value);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::int64_t>(value));
  else
    return static_cast<T>(value);
}

double to_double(ExactInteger value) {
  const auto magnitude = static_cast<double>(value.magnitude);
  return value.negative ? -magnitude : magnitude;
}

template <typename T>
T converted(ExactInteger value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(value.negative ? 0 - value.magnitude : value.magnitude);
  else
    return static_cast<T>(to_double(value));
}

// The largest magnitude of a number of that sign.
template <typename T>
std::uint64_t largest(bool negative) {
  using Limits = std::numeric_limits<T>;
  if (!negative) return static_cast<std::uint64_t>(Limits::max());
  return std::is_signed_v<T> ? static_cast<std::uint64_t>(Limits::max()) + 1 : 0;
}

template <typename Value>
void put(std::string_view type, Value value, std::vector<std::byte>& to) {
  [[maybe_unused]] const bool known = with_type(type, [&](auto like) {
    const auto element = converted<decltype(like)>(value);
    const auto bytes = std::as_bytes(std::span(&element, 1));
    to.insert(to.end(), bytes.begin(), bytes.end());
  });
  assert(known && "element_bytes() was asked first");
}

template <typename Value>
bool is_finite_in(std::string_view type, Value value) {
  bool is_finite = false;
  with_type(type, [&](auto like) {
    is_finite = std::isfinite(static_cast<double>(converted<decltype(like)>(value)));
  });
  return is_finite;
}

}  // namespace

std::optional<std::size_t> element_bytes(std::string_view type) {
  std::optional<std::size_t> bytes;
  with_type(type, [&](auto value) { bytes = sizeof value; });
  return bytes;
}

std::string_view scalar_type(std::string_view type) {
  if (type.starts_with("packed_")) type.remove_prefix(7);
  while (!type.empty() && type.back() >= '1' && type.back() <= '9') type.remove_suffix(1);
  return type;
}

bool is_floating(std::string_view type) {
  return type == "float" || type == "half" || type == "bfloat";
}

std::string_view element_types() {
  return "float, half, bfloat, bool, char, uchar, short, ushort, int, uint, long, ulong";
}

bool fits_element(std::string_view type, double value) {
  if (is_floating(type)) return is_finite_in(type, value);
  if (std::trunc(value) != value || std::abs(value) > 0x1p53) return false;
  if (type == "bool") return value == 0 || value == 1;
  bool fits = false;
  with_type(type, [&](auto like) {
    if constexpr (std::is_integral_v<decltype(like)>) {
      using Limits = std::numeric_limits<decltype(like)>;
      fits = value >= static_cast<double>(Limits::min()) &&
             value <= static_cast<double>(Limits::max());
    }
  });
  return fits;
}

bool fits_element(std::string_view type, ExactInteger value) {
  if (is_floating(type)) return is_finite_in(type, value);
  if (type == "bool") return value.magnitude <= 1 && !value.negative;
  bool fits = false;
  with_type(type, [&](auto like) {
    using T = decltype(like);
    if constexpr (std::is_integral_v<T>) fits = value.magnitude <= largest<T>(value.negative);
  });
  return fits;
}

void put_element(std::string_view type, double value, std::vector<std::byte>& to) {
  put(type, value, to);
}

void put_element(std::string_view type, ExactInteger value, std::vector<std::byte>& to) {
  put(type, value, to);
}

double get_element(std::string_view type, std::span<const std::byte> from, std::size_t number) {
  double value = 0;
  [[maybe_unused]] const bool known = with_type(type, [&](auto element) {
    std::memcpy(&element, from.data() + number * sizeof element, sizeof element);
    value = static_cast<double>(element);
  });
  assert(known && "element_bytes() was asked first");
  return value;
}

std::string element_text(std::string_view type, std::span<const std::byte> from,
                         std::size_t number) {
  std::string text;
  with_type(type, [&](auto element) {
    std::memcpy(&element, from.data() + number * sizeof element, sizeof element);
    if constexpr (std::is_integral_v<decltype(element)>)
      text = std::to_string(element);
    else
      text = float_text(static_cast<double>(element));
  });
  return text;
}

std::string float_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return fmt::format("{}", static_cast<float>(value));
}

double distance(double a, double b) { return a == b ? 0 : std::abs(a - b); }

}  // namespace msci
