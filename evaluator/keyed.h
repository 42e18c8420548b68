// Numbers that nobody foresees who does not know the key: SipHash-2-4 (Aumasson and Bernstein,
// 2012).
#pragma once

#include <cstdint>
#include <string_view>

namespace msci {

struct Key {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const Key&) const = default;
};

std::uint64_t keyed_hash(Key key, std::string_view message);

// The key of one use of one size in the run of that nonce.
Key key_of(std::uint64_t nonce, std::string_view size_label, unsigned repeat);

// A nonce that was never used: from the system's own source of randomness.
std::uint64_t fresh_nonce();

// The endless stream of numbers that belongs to a key.
class Draws {
 public:
  explicit Draws(Key key) : key_(key) {}

  std::uint64_t next();
  double uniform(double low, double high);        // [low, high)
  unsigned between(unsigned low, unsigned high);  // both included

 private:
  Key key_;
  std::uint64_t count_ = 0;
};

}  // namespace msci
