// Numbers that grow evenly with one size.
#pragma once

#include <cstdint>

namespace msci {

// (factor * n + constant) / divisor * multiplier, where the quotient is rounded down: 4 * n + 1, or
// n rounded up to a multiple of 64. The dividend of a quotient is not negative for n >= 1.
struct SizedNumber {
  std::int64_t factor = 0, constant = 0, divisor = 1, multiplier = 1;
  bool operator==(const SizedNumber&) const = default;

  bool grows() const { return factor != 0; }
  std::int64_t at(std::int64_t n) const { return (factor * n + constant) / divisor * multiplier; }
};

}  // namespace msci
