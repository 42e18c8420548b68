// A keyed pseudo-random generator, unpredictable without the key: SipHash-2-4 (Aumasson and
// Bernstein, 2012).
#pragma once

#include <array>
#include <cstddef>
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

// The stream of numbers of a key: the hashes of 0, 1, 2 and so on, of eight bytes each.
class KeyedRandom {
 public:
  explicit KeyedRandom(Key key) : key_(key) {}

  std::uint64_t next() {
    if (used_ == drawn_) draw_ahead();
    return ahead_[used_++];
  }
  // [low, high)
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }
  // Both included.
  unsigned between(unsigned low, unsigned high) {
    return low + static_cast<unsigned>(next() % (std::uint64_t{high} - low + 1));
  }

 private:
  // Vectors of the processor hash many numbers at once; the first few of a stream are few.
  static constexpr std::size_t least_ahead = 8;
  void draw_ahead();

  Key key_;
  std::uint64_t count_ = 0;  // of the numbers that were drawn ahead
  std::array<std::uint64_t, 64> ahead_;
  std::size_t used_ = 0;
  std::size_t drawn_ = 0;
};

}  // namespace msci
