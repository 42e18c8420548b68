#include <immintrin.h>

#include <cmath>

#include "tests/bench/c/kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

struct Point {
  float x, y, z, w;
};

unsigned bodies(Bound bound) { return value<unsigned>(bound, 5); }

// The new velocity and position of a body from its pull.
void move(Bound bound, std::size_t i, float x, float y, float z) {
  const Point r = buffer<Point>(bound, 0)[i], v = buffer<Point>(bound, 2)[i];
  const auto dt = value<float>(bound, 6), g = value<float>(bound, 8);
  const Point turned{v.x + g * x * dt, v.y + g * y * dt, v.z + g * z * dt, 0};
  buffer<Point>(bound, 3)[i] = turned;
  buffer<Point>(bound, 1)[i] = {r.x + turned.x * dt, r.y + turned.y * dt, r.z + turned.z * dt, 0};
}

void plain(Bound bound, unsigned first, unsigned end) {
  const Point* position = buffer<Point>(bound, 0);
  const float* mass = buffer<float>(bound, 4);
  const auto n = value<unsigned>(bound, 5);
  const auto eps = value<float>(bound, 7);
  for (std::size_t i = first; i < end; ++i) {
    const Point r = position[i];
    float pull_x = 0, pull_y = 0, pull_z = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const float x = position[j].x - r.x, y = position[j].y - r.y, z = position[j].z - r.z;
      const float r2 = x * x + y * y + z * z + eps * eps;
      const float scale = mass[j] / std::sqrt(r2 * r2 * r2);
      pull_x += scale * x;
      pull_y += scale * y;
      pull_z += scale * z;
    }
    move(bound, i, pull_x, pull_y, pull_z);
  }
}

#ifdef __AVX512F__
using Float = __m512;
constexpr unsigned width = 16;
Float all(float number) { return _mm512_set1_ps(number); }
Float sum_of_product(Float a, Float b, Float c) { return _mm512_fmadd_ps(a, b, c); }
Float estimated_root(Float x) { return _mm512_rsqrt14_ps(x); }
#else
using Float = __m256;
constexpr unsigned width = 8;
Float all(float number) { return _mm256_set1_ps(number); }
Float sum_of_product(Float a, Float b, Float c) { return _mm256_fmadd_ps(a, b, c); }
Float estimated_root(Float x) { return _mm256_rsqrt_ps(x); }
#endif

// 1 / sqrt(x): the processor's estimate and a step of Newton's.
Float reciprocal_root(Float x) {
  const Float y = estimated_root(x);
  return y * (all(1.5F) - all(0.5F) * x * y * y);
}

// Two vectors of bodies at a time, over all bodies.
void intrinsics(Bound bound, unsigned first, unsigned end) {
  constexpr unsigned vectors = 2, together = vectors * width;
  const Point* position = buffer<Point>(bound, 0);
  const float* mass = buffer<float>(bound, 4);
  const auto n = value<unsigned>(bound, 5);
  const auto eps = value<float>(bound, 7);
  const Float eps2 = all(eps * eps);
  for (unsigned i = first; i < end; i += together) {
    alignas(64) float r[3][together], pulls[3][together];
    for (unsigned lane = 0; lane < together; ++lane) {
      const Point& point = position[i + lane < end ? i + lane : end - 1];
      r[0][lane] = point.x, r[1][lane] = point.y, r[2][lane] = point.z;
    }
    Float own[3][vectors], pull[3][vectors];
    for (unsigned c = 0; c < 3; ++c)
      for (unsigned v = 0; v < vectors; ++v) {
        std::memcpy(&own[c][v], &r[c][v * width], sizeof(Float));
        pull[c][v] = all(0);
      }
    for (unsigned j = 0; j < n; ++j) {
      const Float other[3] = {all(position[j].x), all(position[j].y), all(position[j].z)};
      const Float weight = all(mass[j]);
      for (unsigned v = 0; v < vectors; ++v) {
        const Float x = other[0] - own[0][v], y = other[1] - own[1][v], z = other[2] - own[2][v];
        const Float r2 = sum_of_product(x, x, sum_of_product(y, y, sum_of_product(z, z, eps2)));
        const Float scale = weight * reciprocal_root(r2 * r2 * r2);
        pull[0][v] = sum_of_product(scale, x, pull[0][v]);
        pull[1][v] = sum_of_product(scale, y, pull[1][v]);
        pull[2][v] = sum_of_product(scale, z, pull[2][v]);
      }
    }
    std::memcpy(pulls, pull, sizeof pulls);
    for (unsigned lane = 0; lane < together && i + lane < end; ++lane)
      move(bound, i + lane, pulls[0][lane], pulls[1][lane], pulls[2][lane]);
  }
}

}  // namespace

const Kernel nbody_step{.name = "nbody_step", .count = bodies, .run = plain, .least = 32};
const Kernel nbody_step_intrinsics{
    .name = "nbody_step", .count = bodies, .run = intrinsics, .least = 32, .uses_intrinsics = true};

}  // namespace msci::c::MSCI_C_NAMESPACE
