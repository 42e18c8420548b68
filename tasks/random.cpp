#include <bit>
#include <cmath>
#include <numbers>

#include "tasks/launch.h"

namespace msci {
namespace {

constexpr unsigned __int128 multiplier =
    static_cast<unsigned __int128>(0x2360ED051FC65DA4) << 64 | 0x4385DF649FCCF645;

// Where the ziggurat's tail begins.
constexpr double tail = 3.6541528853610088;
constexpr std::size_t layers = 256;

// Marsaglia and Tsang's tables for magnitudes of `Magnitude`'s width.
template <typename Real, typename Magnitude>
struct Ziggurat {
  std::array<Magnitude, layers> k;  // below it a magnitude lies inside the layer for certain
  std::array<Real, layers> w;       // from magnitude to value
  std::array<Real, layers> f;       // the density, unnormalised, at the layer's edge

  explicit Ziggurat(double scale);
};

double density(double x) { return std::exp(-0.5 * x * x); }

template <typename Real, typename Magnitude>
Ziggurat<Real, Magnitude>::Ziggurat(double scale) {
  const double tail_area = std::sqrt(std::numbers::pi / 2) * std::erfc(tail / std::numbers::sqrt2);
  const double area = tail * density(tail) + tail_area;
  const double base = area / density(tail);
  std::array<double, layers> x{};
  x[layers - 1] = tail;
  for (std::size_t i = layers - 2; i > 0; --i)
    x[i] = std::sqrt(-2 * std::log(area / x[i + 1] + density(x[i + 1])));

  const auto rounded = [](double value) { return static_cast<Magnitude>(std::round(value)); };
  k[0] = rounded(tail / base * scale);
  k[1] = 0;
  w[0] = static_cast<Real>(base / scale);
  f[0] = 1;
  for (std::size_t i = 1; i < layers; ++i) {
    if (i + 1 < layers) k[i + 1] = rounded(x[i] / x[i + 1] * scale);
    w[i] = static_cast<Real>(x[i] / scale);
    f[i] = static_cast<Real>(density(x[i]));
  }
}

const Ziggurat<double, std::uint64_t> normal_double{0x1p52};
const Ziggurat<float, std::uint32_t> normal_single{0x1p23};

// A normal value from a draw (layer, sign and magnitude in its bits) and, where that is not enough,
// more.
template <typename Real, typename Magnitude, typename Draw, typename Uniform>
Real draw_normal(const Ziggurat<Real, Magnitude>& table, Magnitude mask, Draw draw,
                 Uniform uniform) {
  constexpr Real edge = tail;
  constexpr Real inverse_edge = 1 / tail;
  for (;;) {
    const Magnitude bits = draw();
    const std::size_t layer = bits & 0xFF;
    const Magnitude magnitude = (bits >> 9) & mask;
    const Real size = static_cast<Real>(magnitude) * table.w[layer];
    // Without a branch, which no processor can predict.
    const Real x = std::copysign(size, static_cast<Real>(0x80) - static_cast<Real>(bits & 0x100));
    if (magnitude < table.k[layer]) return x;
    if (layer > 0) {
      const Real height = (table.f[layer - 1] - table.f[layer]) * uniform() + table.f[layer];
      if (height < density(x)) return x;
      continue;
    }
    for (;;) {
      const Real beyond = -inverse_edge * std::log1p(-uniform());
      const Real y = -std::log1p(-uniform());
      if (y + y > beyond * beyond) return magnitude & 0x100 ? -(edge + beyond) : edge + beyond;
    }
  }
}

}  // namespace

std::array<std::uint32_t, 8> seed_words(std::uint32_t seed) {
  std::uint32_t hash = 0x43B0D7E5;
  const auto absorb = [&hash](std::uint32_t value) {
    value ^= hash;
    hash *= 0x931E8875;
    value *= hash;
    return value ^ value >> 16;
  };
  std::array<std::uint32_t, 4> pool{};
  pool[0] = absorb(seed);
  for (std::size_t i = 1; i < pool.size(); ++i) pool[i] = absorb(0);
  for (std::size_t from = 0; from < pool.size(); ++from)
    for (std::size_t to = 0; to < pool.size(); ++to) {
      if (from == to) continue;
      const std::uint32_t mixed = 0xCA01F9DD * pool[to] - 0x4973F715 * absorb(pool[from]);
      pool[to] = mixed ^ mixed >> 16;
    }

  std::array<std::uint32_t, 8> words{};
  hash = 0x8B51F9DD;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint32_t word = pool[i % pool.size()] ^ hash;
    hash *= 0x58F38DED;
    word *= hash;
    words[i] = word ^ word >> 16;
  }
  return words;
}

Random::Random(std::uint32_t seed) {
  const auto words = seed_words(seed);
  const auto wide = [&words](std::size_t i) {
    return std::uint64_t{words[2 * i + 1]} << 32 | words[2 * i];
  };
  using Word = unsigned __int128;
  const Word start = Word{wide(0)} << 64 | wide(1);
  increment_ = (Word{wide(2)} << 64 | wide(3)) << 1 | 1;
  step();
  state_ += start;
  step();
}

void Random::step() { state_ = state_ * multiplier + increment_; }

std::uint64_t Random::draw64() {
  step();
  const auto high = static_cast<std::uint64_t>(state_ >> 64);
  const auto low = static_cast<std::uint64_t>(state_);
  return std::rotr(high ^ low, static_cast<int>(high >> 58));
}

std::uint32_t Random::draw32() {
  if (spare_) {
    const std::uint32_t kept = *spare_;
    spare_.reset();
    return kept;
  }
  const std::uint64_t draw = draw64();
  spare_ = static_cast<std::uint32_t>(draw >> 32);
  return static_cast<std::uint32_t>(draw);
}

double Random::uniform() { return static_cast<double>(draw64() >> 11) * 0x1p-53; }

float Random::uniform_float() { return static_cast<float>(draw32() >> 8) * 0x1p-24F; }

double Random::normal() {
  return draw_normal(
      normal_double, std::uint64_t{0xFFFFFFFFFFFFF}, [this] { return draw64(); },
      [this] { return uniform(); });
}

float Random::normal_float() {
  return draw_normal(
      normal_single, std::uint32_t{0x7FFFFF}, [this] { return draw32(); },
      [this] { return uniform_float(); });
}

}  // namespace msci
