// Attributes before a result with a space, on members, in macros and in structs without a name.
#include <metal_stdlib>
using namespace metal;
#define INLINE __attribute__((always_inline))
struct Rows {
  device float* data;
  uint width;
  INLINE device float* row(uint y) const thread { return data + y * width; }
  __attribute__((noinline)) device const float* end() const { return data + width; }
  INLINE constant float* none() const { return nullptr; }
  struct {
    float scale;
    float scaled(float x) const constant { return x * scale; }
    float scaled(float x) const thread { return x * scale; }
  } factor;
};
struct Grid {
  constant uchar* bits;
  __attribute__((always_inline)) constant uchar* at(uint i) const thread { return bits + i; }
  INLINE static threadgroup half* behind(threadgroup half* p) { return p + 1; }
  template <typename T> INLINE device T* as(device void* p) const { return (device T*)p; }
  struct { struct { uint n; uint twice() const { return 2 * n; } uint twice() const device { return n + n; } } inner; } nested;
};
struct Curve {
  float4 knots;
  float first() constant { return knots.x; }
  float last() constant { return knots.w - first(); }
  template <typename T> T at(uint i) constant { return T(knots[i]); }
  float operator()(uint i) constant { return knots[i]; }
};
struct Options {
  struct { uint flags; bool has(uint bit) constant { return (flags >> bit) & 1; } } set;
  float gamma;
  float corrected(float x) constant { return pow(x, gamma); }
};
kernel void all(device float* x, constant Options& options, constant Rows& whole, constant Curve& curve, uint i [[thread_position_in_grid]]) {
  Grid grid{nullptr, {{1}}};
  threadgroup half shared[2];
  shared[1] = half(*grid.as<float>(x) + grid.nested.inner.twice());
  x[i] = float(*Grid::behind(shared)) + float(grid.at(1) == nullptr) + curve.last() + curve.at<half>(1) + curve(2);
  Rows rows{x, 4, {2.0f}};
  rows.row(1)[i] = rows.factor.scaled(*rows.end()) + options.corrected(x[i]);
  x[i] = options.set.has(2) ? whole.factor.scaled(x[i]) : rows.none() == nullptr ? 0.0f : 1.0f;
}
