#include "tests/bench/c/kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

constexpr unsigned longest = 256;
constexpr std::size_t block = 32;  // lines side by side: the innermost loops run over them

struct Sides {
  std::size_t x, y, z;
};

Sides sides(Bound bound) {
  return {value<unsigned>(bound, 2), value<unsigned>(bound, 3), value<unsigned>(bound, 4)};
}

// Thomas's algorithm for lines of `length` values that lie `stride` apart. Line i begins `beside` *
// i values behind the first.
struct Lines {
  std::size_t count, beside, stride, length;
  const float* in = nullptr;
  float* out = nullptr;
};

struct Ratios {
  float ratio[longest], scale[longest];
};

Ratios ratios_of(std::size_t length, float mu) {
  Ratios ratios;
  const float b = 1 + 2 * mu;
  ratios.ratio[0] = 0;
  for (std::size_t i = 1; i + 1 < length; ++i) {
    ratios.scale[i] = 1 / (b + mu * ratios.ratio[i - 1]);
    ratios.ratio[i] = -mu * ratios.scale[i];
  }
  return ratios;
}

// `beside` is 1 or the length of a row: a constant 1 makes the accesses vectors.
[[gnu::always_inline]] inline void solve_block(const Lines& lines, std::size_t begin,
                                               std::size_t count, std::size_t beside,
                                               const Ratios& ratios, float mu) {
  const float* in = lines.in + begin * beside;
  float* out = lines.out + begin * beside;
  float d[block];
  const auto last = (lines.length - 1) * lines.stride;
#pragma clang loop vectorize(assume_safety)
  for (std::size_t line = 0; line < count; ++line) {
    d[line] = in[line * beside];
    out[line * beside] = d[line];
    out[line * beside + last] = in[line * beside + last];
  }
  for (std::size_t i = 1; i + 1 < lines.length; ++i) {
    const auto at = i * lines.stride;
    const float more = i == lines.length - 2 ? mu : 0;
#pragma clang loop vectorize(assume_safety)
    for (std::size_t line = 0; line < count; ++line) {
      const auto here = line * beside;
      d[line] = (in[here + at] + mu * d[line] + more * in[here + last]) * ratios.scale[i];
      out[here + at] = d[line];
    }
  }
  for (std::size_t i = lines.length - 3; i >= 1; --i) {
    const auto at = i * lines.stride;
#pragma clang loop vectorize(assume_safety)
    for (std::size_t line = 0; line < count; ++line) {
      d[line] = out[line * beside + at] - ratios.ratio[i] * d[line];
      out[line * beside + at] = d[line];
    }
  }
}

// A table for each block of lines, as the seed has one for each threadgroup.
void solve(const Lines& lines, float mu) {
  for (std::size_t begin = 0; begin < lines.count; begin += block) {
    const auto ratios = ratios_of(lines.length, mu);
    const auto count = lines.count - begin < block ? lines.count - begin : block;
    if (lines.beside == 1)
      solve_block(lines, begin, count, 1, ratios, mu);
    else
      solve_block(lines, begin, count, lines.beside, ratios, mu);
  }
}

// Copies a line on a face of the box.
void copy(const Lines& lines, std::size_t line) {
  const float* in = lines.in + line * lines.beside;
  float* out = lines.out + line * lines.beside;
  for (std::size_t i = 0; i < lines.length; ++i) out[i * lines.stride] = in[i * lines.stride];
}

// The lines of a plane, of which the first and the last lie on faces; all do in a plane at a face.
void run_plane(Bound bound, std::size_t first, bool is_face, Lines lines) {
  lines.in = buffer<float>(bound, 0) + first;
  lines.out = buffer<float>(bound, 1) + first;
  if (is_face) {
    for (std::size_t line = 0; line < lines.count; ++line) copy(lines, line);
    return;
  }
  copy(lines, 0);
  copy(lines, lines.count - 1);
  lines.in += lines.beside;
  lines.out += lines.beside;
  lines.count -= 2;
  solve(lines, value<float>(bound, 5));
}

unsigned layers(Bound bound) { return value<unsigned>(bound, 4); }
unsigned rows(Bound bound) { return value<unsigned>(bound, 3); }

void along_x(Bound bound, unsigned first, unsigned end) {
  const auto [nx, ny, nz] = sides(bound);
  for (std::size_t k = first; k < end; ++k)
    run_plane(bound, k * ny * nx, k == 0 || k == nz - 1,
              {.count = ny, .beside = nx, .stride = 1, .length = nx});
}

void along_y(Bound bound, unsigned first, unsigned end) {
  const auto [nx, ny, nz] = sides(bound);
  for (std::size_t k = first; k < end; ++k)
    run_plane(bound, k * ny * nx, k == 0 || k == nz - 1,
              {.count = nx, .beside = 1, .stride = nx, .length = ny});
}

void along_z(Bound bound, unsigned first, unsigned end) {
  const auto [nx, ny, nz] = sides(bound);
  for (std::size_t j = first; j < end; ++j)
    run_plane(bound, j * nx, j == 0 || j == ny - 1,
              {.count = nx, .beside = 1, .stride = nx * ny, .length = nz});
}

}  // namespace

const Kernel adi_x{.name = "adi_x", .count = layers, .run = along_x};
const Kernel adi_y{.name = "adi_y", .count = layers, .run = along_y};
const Kernel adi_z{.name = "adi_z", .count = rows, .run = along_z};

}  // namespace msci::c::MSCI_C_NAMESPACE
