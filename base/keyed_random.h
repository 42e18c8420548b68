// A keyed pseudo-random generator, unpredictable without the key: SipHash-2-4 (Aumasson and
// Bernstein, 2012).
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

// The key for one repeat of a size in the run with that nonce.
Key key_of(std::uint64_t nonce, std::string_view size_label, unsigned repeat);

// A new nonce from the system's random source.
std::uint64_t fresh_nonce();

// The stream of numbers of a key.
class KeyedRandom {
 public:
  explicit KeyedRandom(Key key) : key_(key) {}

  std::uint64_t next();
  double uniform(double low, double high);        // [low, high)
  unsigned between(unsigned low, unsigned high);  // both included

 private:
  Key key_;
  std::uint64_t count_ = 0;
};

}  // namespace msci
