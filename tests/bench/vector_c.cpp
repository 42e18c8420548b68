#include "tests/bench/vector_c.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

// glibc's libmvec, as the engine.
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

namespace msci {
namespace {

template <typename T>
T value(const std::byte* at) {
  T result;
  std::memcpy(&result, at, sizeof result);
  return result;
}

Float load(const float* at) {
  Float result;
  std::memcpy(&result, at, sizeof result);
  return result;
}
void store(float* at, Float values) { std::memcpy(at, &values, sizeof values); }

Float all(float number) { return Float{} + number; }
Word all(std::uint32_t number) { return Word{} + number; }

// Threads beyond the last one compute what the last one computes, and store nothing.
void nbody(std::byte* const* bound, unsigned first, unsigned end) {
  const auto* position = reinterpret_cast<const float*>(bound[0]);
  auto* moved = reinterpret_cast<float*>(bound[1]);
  const auto* velocity = reinterpret_cast<const float*>(bound[2]);
  auto* turned = reinterpret_cast<float*>(bound[3]);
  const auto* mass = reinterpret_cast<const float*>(bound[4]);
  const auto n = value<std::uint32_t>(bound[5]);
  const auto dt = value<float>(bound[6]), eps = value<float>(bound[7]), g = value<float>(bound[8]);
  constexpr unsigned pair = 2;  // vectors at a time, so that the divider is never idle
  for (unsigned i = first; i < std::min(end, n); i += pair * width) {
    Float r[pair][3], pull[pair][3] = {};
    for (unsigned v = 0; v < pair; ++v)
      for (unsigned lane = 0; lane < width; ++lane)
        for (unsigned c = 0; c < 3; ++c)
          r[v][c][lane] = position[4 * std::min(i + v * width + lane, n - 1) + c];
    for (unsigned j = 0; j < n; ++j)
      for (unsigned v = 0; v < pair; ++v) {
        const Float x = position[4 * j] - r[v][0], y = position[4 * j + 1] - r[v][1],
                    z = position[4 * j + 2] - r[v][2];
        const Float r2 = x * x + y * y + z * z + eps * eps;
        const Float scale = mass[j] / __builtin_elementwise_sqrt(r2 * r2 * r2);
        pull[v][0] += scale * x;
        pull[v][1] += scale * y;
        pull[v][2] += scale * z;
      }
    for (unsigned v = 0; v < pair; ++v)
      for (unsigned lane = 0; lane < width && i + v * width + lane < n; ++lane)
        for (unsigned c = 0; c < 4; ++c) {
          const auto at = 4 * (i + v * width + lane) + c;
          turned[at] = c < 3 ? velocity[at] + g * pull[v][c][lane] * dt : 0;
          moved[at] = c < 3 ? r[v][c][lane] + turned[at] * dt : 0;
        }
  }
}

void heat(std::byte* const* bound, unsigned first, unsigned end) {
  const auto* in = reinterpret_cast<const float*>(bound[0]);
  auto* out = reinterpret_cast<float*>(bound[1]);
  const auto nx = value<std::uint32_t>(bound[2]), ny = value<std::uint32_t>(bound[3]);
  const auto alpha = value<float>(bound[4]);
  for (unsigned j = first; j < std::min(end, ny); ++j) {
    const auto* row = in + std::size_t{j} * nx;
    auto* to = out + std::size_t{j} * nx;
    if (j == 0 || j == ny - 1) {
      std::memcpy(to, row, nx * sizeof(float));
      continue;
    }
    const auto* above = row - nx;
    const auto* below = row + nx;
    to[0] = row[0];
    unsigned i = 1;
    for (; i + width < nx; i += width) {
      const Float c = load(row + i);
      const Float around =
          load(row + i - 1) + load(row + i + 1) + load(above + i) + load(below + i);
      store(to + i, c + alpha * (around - 4 * c));
    }
    for (; i < nx - 1; ++i) {
      const float around = row[i - 1] + row[i + 1] + above[i] + below[i];
      to[i] = row[i] + alpha * (around - 4 * row[i]);
    }
    to[nx - 1] = row[nx - 1];
  }
}

// ---- Hamiltonian Monte Carlo, a chain in each element

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

void hmc_chains(std::byte* const* bound, unsigned first, unsigned count) {
  const auto* q_in = reinterpret_cast<const float*>(bound[0]);
  auto* q_out = reinterpret_cast<float*>(bound[1]);
  auto* accepted_count = reinterpret_cast<std::uint32_t*>(bound[2]);
  const auto* a = reinterpret_cast<const float*>(bound[3]);
  const auto d = value<std::uint32_t>(bound[5]), rounds = value<std::uint32_t>(bound[6]);
  const auto eps = value<float>(bound[7]);
  const auto base = value<std::uint32_t>(bound[8]) * (d + 1);
  const auto seed = value<std::uint32_t>(bound[9]);
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

void hmc(std::byte* const* bound, unsigned first, unsigned end) {
  const auto chains = std::min(end, value<std::uint32_t>(bound[4]));
  for (unsigned i = first; i < chains; i += width)
    hmc_chains(bound, i, std::min(width, chains - i));
}

}  // namespace

VectorCKernel vector_c_of(std::string_view task) {
  if (task == "nbody") return {nbody, false};
  if (task == "heat2d") return {heat, true};
  if (task == "hmc") return {hmc, false};
  return {};
}

}  // namespace msci
