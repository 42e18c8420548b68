#include <cmath>

#include "tests/bench/c/kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

constexpr unsigned longest = 1024;

struct Complex {
  float re, im;
};

struct Line {
  float re[longest], im[longest];
};

unsigned lines(Bound bound) {
  const auto n = value<unsigned>(bound, 2);
  return n * n;
}

// Radix-2 butterflies over a line in bit-reversed order; each computes its sine and cosine, as the
// seed does.
void transform(Line& line, unsigned n) {
  float c[longest / 2], s[longest / 2];
  for (unsigned distance = 1; distance < n; distance *= 2) {
    const float turn = -3.14159265F / static_cast<float>(distance);
    for (unsigned i = 0; i < n / 2; ++i) {
      const float angle = turn * static_cast<float>(i & (distance - 1));
      c[i] = std::cos(angle);
      s[i] = std::sin(angle);
    }
    for (unsigned first = 0; first < n; first += 2 * distance) {
      float* __restrict low_re = line.re + first, * __restrict low_im = line.im + first;
      float* __restrict high_re = low_re + distance, * __restrict high_im = low_im + distance;
      const float *cosine = c + first / 2, *sine = s + first / 2;
      for (unsigned k = 0; k < distance; ++k) {
        const float re = cosine[k] * high_re[k] - sine[k] * high_im[k];
        const float im = cosine[k] * high_im[k] + sine[k] * high_re[k];
        high_re[k] = low_re[k] - re;
        high_im[k] = low_im[k] - im;
        low_re[k] += re;
        low_im[k] += im;
      }
    }
  }
}

// The line that begins at `begin`, with that distance between its values.
void run_line(Bound bound, std::size_t begin, std::size_t stride) {
  const auto n = value<unsigned>(bound, 2);
  const Complex* in = buffer<Complex>(bound, 0) + begin;
  Complex* out = buffer<Complex>(bound, 1) + begin;
  const auto shift = static_cast<unsigned>(__builtin_clz(n)) + 1;
  Line line;
  for (unsigned i = 0; i < n; ++i) {
    const auto to = n == 1 ? 0 : __builtin_bitreverse32(i) >> shift;
    line.re[to] = in[i * stride].re;
    line.im[to] = in[i * stride].im;
  }
  transform(line, n);
  for (unsigned i = 0; i < n; ++i) out[i * stride] = {line.re[i], line.im[i]};
}

void along_x(Bound bound, unsigned first, unsigned end) {
  const std::size_t n = value<unsigned>(bound, 2);
  for (std::size_t line = first; line < end; ++line) run_line(bound, line * n, 1);
}

void along_y(Bound bound, unsigned first, unsigned end) {
  const std::size_t n = value<unsigned>(bound, 2);
  for (std::size_t line = first; line < end; ++line)
    run_line(bound, line / n * n * n + line % n, n);
}

void along_z(Bound bound, unsigned first, unsigned end) {
  const std::size_t n = value<unsigned>(bound, 2);
  for (std::size_t line = first; line < end; ++line) run_line(bound, line, n * n);
}

}  // namespace

const Kernel fft3d_x{.name = "fft3d_x", .count = lines, .run = along_x};
const Kernel fft3d_y{.name = "fft3d_y", .count = lines, .run = along_y};
const Kernel fft3d_z{.name = "fft3d_z", .count = lines, .run = along_z};

}  // namespace msci::c::MSCI_C_NAMESPACE
