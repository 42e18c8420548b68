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
struct Options {
  struct { uint flags; bool has(uint bit) constant { return (flags >> bit) & 1; } } set;
  float gamma;
  float corrected(float x) constant { return pow(x, gamma); }
};
kernel void all(device float* x, constant Options& options, constant Rows& whole, uint i [[thread_position_in_grid]]) {
  Rows rows{x, 4, {2.0f}};
  rows.row(1)[i] = rows.factor.scaled(*rows.end()) + options.corrected(x[i]);
  x[i] = options.set.has(2) ? whole.factor.scaled(x[i]) : rows.none() == nullptr ? 0.0f : 1.0f;
}
