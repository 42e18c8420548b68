#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/bench/c/kernels.h"

// Vectors of clang: the sums of plain loops over chains stay in memory, which is ten times as slow.
// The functions are those of glibc's libmvec, as in the engine.
#ifdef __AVX512F__
constexpr unsigned width = 16;
#define MSCI_MVEC(name) _ZGVeN16v_##name
#else
constexpr unsigned width = 8;
#define MSCI_MVEC(name) _ZGVdN8v_##name
#endif

using Float = float __attribute__((vector_size(4 * width)));
using Word = std::uint32_t __attribute__((vector_size(4 * width)));

extern "C" {
Float MSCI_MVEC(logf)(Float);
Float MSCI_MVEC(sinf)(Float);
Float MSCI_MVEC(cosf)(Float);
}

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

Float all(float number) { return Float{} + number; }

constexpr unsigned most = 32;

Word scramble(Word x) {
  x ^= x >> 16;
  x *= 0x85EBCA6Bu;
  x ^= x >> 13;
  x *= 0xC2B2AE35u;
  return x ^ x >> 16;
}

Float uniform_at(std::uint32_t seed, Word chain, std::uint32_t count) {
  const Word h = scramble(scramble((seed + chain * 0x9E3779B9u) ^ count));
  return __builtin_convertvector(h >> 8, Float) * (1.0F / 16777216.0F);
}

void multiply(const float* a, const Float* q, Float* f, unsigned d) {
  for (unsigned row = 0; row < d; ++row) {
    Float sum = {};
    for (unsigned column = 0; column < d; ++column) sum += a[row * d + column] * q[column];
    f[row] = sum;
  }
}

Float half_product(const Float* a, const Float* b, unsigned d) {
  Float sum = {};
  for (unsigned i = 0; i < d; ++i) sum += a[i] * b[i];
  return 0.5F * sum;
}

void hmc_chains(Bound bound, unsigned first, unsigned count) {
  const auto* q_in = buffer<float>(bound, 0);
  auto* q_out = buffer<float>(bound, 1);
  auto* accepted_count = buffer<std::uint32_t>(bound, 2);
  const auto* a = buffer<float>(bound, 3);
  const auto d = value<std::uint32_t>(bound, 5), rounds = value<std::uint32_t>(bound, 6);
  const auto eps = value<float>(bound, 7);
  const auto base = value<std::uint32_t>(bound, 8) * (d + 1);
  const auto seed = value<std::uint32_t>(bound, 9);
  Word chain;
  for (unsigned lane = 0; lane < width; ++lane) chain[lane] = first + std::min(lane, count - 1);
  Float q[most], p[most], f[most];
  for (unsigned i = 0; i < d; i += 2) {
    const Float u1 = __builtin_elementwise_max(uniform_at(seed, chain, base + i), all(1e-7F));
    const Float u2 = uniform_at(seed, chain, base + i + 1);
    const Float radius = __builtin_elementwise_sqrt(-2.0F * MSCI_MVEC(logf)(u1));
    const Float angle = 2.0F * 3.14159265F * u2;
    p[i] = radius * MSCI_MVEC(cosf)(angle);
    p[i + 1] = radius * MSCI_MVEC(sinf)(angle);
  }
  for (unsigned i = 0; i < d; ++i)
    for (unsigned lane = 0; lane < width; ++lane) q[i][lane] = q_in[chain[lane] * d + i];
  multiply(a, q, f, d);
  const Float before = half_product(q, f, d) + half_product(p, p, d);
  for (unsigned i = 0; i < d; ++i) p[i] -= 0.5F * eps * f[i];
  for (unsigned round = 1; round <= rounds; ++round) {
    for (unsigned i = 0; i < d; ++i) q[i] += eps * p[i];
    multiply(a, q, f, d);
    const float kick = round == rounds ? 0.5F * eps : eps;
    for (unsigned i = 0; i < d; ++i) p[i] -= kick * f[i];
  }
  const Float change = half_product(q, f, d) + half_product(p, p, d) - before;
  const Float u = __builtin_elementwise_max(uniform_at(seed, chain, base + d), all(1e-30F));
  const auto accepted =
      (MSCI_MVEC(logf)(u) < -change) & (__builtin_elementwise_abs(change) <= all(3.40282347e+38F));
  for (unsigned lane = 0; lane < count; ++lane) {
    for (unsigned i = 0; i < d; ++i) {
      const auto at = (first + lane) * d + i;
      q_out[at] = accepted[lane] ? q[i][lane] : q_in[at];
    }
    accepted_count[first + lane] += accepted[lane] != 0;
  }
}

unsigned chains(Bound bound) { return value<unsigned>(bound, 4); }

void run(Bound bound, unsigned first, unsigned end) {
  for (unsigned i = first; i < end; i += width) hmc_chains(bound, i, std::min(width, end - i));
}

}  // namespace

const Kernel hmc_step{.name = "hmc_step", .count = chains, .run = run, .least = 32};

}  // namespace msci::c::MSCI_C_NAMESPACE
