// NumPy's default_rng(seed), bit for bit: the generator of task inputs. The known results of ising
// and hmc depend on exactly these numbers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace msci {

// The finaliser of MurmurHash3, from which ising and hmc compute their random numbers.
constexpr std::uint32_t mix(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x85EBCA6B;
  x ^= x >> 13;
  x *= 0xC2B2AE35;
  x ^= x >> 16;
  return x;
}

// The words that NumPy's SeedSequence derives from one 32-bit seed.
std::array<std::uint32_t, 8> seed_words(std::uint32_t seed);

// PCG64 (a 128-bit linear congruential generator, XSL-RR output) and the distributions over it.
class Random {
 public:
  explicit Random(std::uint32_t seed);

  std::uint64_t draw64();
  std::uint32_t draw32();  // halves of a 64-bit draw, the low one first
  double uniform();        // [0, 1)
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  float uniform_float();  // [0, 1)
  double normal();        // mean 0, deviation 1
  float normal_float();   // the same with single-precision tables: other values, not rounded ones

 private:
  void step();

  unsigned __int128 state_ = 0;
  unsigned __int128 increment_ = 0;
  std::optional<std::uint32_t> spare_;  // the high half, kept for the next 32-bit draw
};

}  // namespace msci
