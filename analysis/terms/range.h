// Closed intervals of integers, wide enough for sums and products of 64-bit numbers.
#pragma once

#include <algorithm>
#include <string>

namespace msci::prover {

using Wide = __int128;

// Bounds beyond this are unknown.
inline constexpr Wide unbounded = Wide{1} << 120;

// 2 to the power of `bits`.
constexpr Wide power_of_two(unsigned bits) { return Wide{1} << bits; }

// The largest integer that is at most a / b, for b > 0.
constexpr Wide floor_divide(Wide a, Wide b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

struct Range {
  Wide low = -unbounded;
  Wide high = unbounded;

  static Range of(Wide value) { return {value, value}; }
  static Range of_bits(unsigned bits) { return {0, power_of_two(bits) - 1}; }

  bool is_one() const { return low == high; }
  bool is_within(const Range& other) const { return low >= other.low && high <= other.high; }
  bool is_bounded() const { return low > -unbounded && high < unbounded; }
  Range joined(const Range& other) const {
    return {std::min(low, other.low), std::max(high, other.high)};
  }
  Range met(const Range& other) const {
    const Range both{std::max(low, other.low), std::min(high, other.high)};
    return both.low <= both.high ? both : *this;  // an empty one is that of code that never runs
  }
  bool operator==(const Range&) const = default;
};

inline Wide clamped(Wide value) { return std::clamp(value, -unbounded, unbounded); }

// A bound that is unknown stays so.
inline Wide added(Wide a, Wide b) {
  if (a <= -unbounded || b <= -unbounded) return -unbounded;
  if (a >= unbounded || b >= unbounded) return unbounded;
  return clamped(a + b);
}

inline Wide multiplied(Wide a, Wide b) {
  if (a == 0 || b == 0) return 0;
  Wide product = 0;
  const bool is_negative = (a < 0) != (b < 0);
  if (__builtin_mul_overflow(a, b, &product)) return is_negative ? -unbounded : unbounded;
  return clamped(product);
}

inline Range operator+(const Range& a, const Range& b) {
  return {added(a.low, b.low), added(a.high, b.high)};
}
inline Range operator-(const Range& a) { return {-a.high, -a.low}; }
inline Range operator-(const Range& a, const Range& b) { return a + -b; }
inline Range operator*(const Range& a, const Range& b) {
  const Wide corners[] = {multiplied(a.low, b.low), multiplied(a.low, b.high),
                          multiplied(a.high, b.low), multiplied(a.high, b.high)};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

// "-5" as SMT-LIB writes it: "(- 5)".
std::string smt_number(Wide value);

}  // namespace msci::prover
