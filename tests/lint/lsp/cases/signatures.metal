#include <metal_stdlib>
using namespace metal;
struct Cell { float mass; Cell(float m, int n) : mass(m + n) {} float plus(float a, float b) { return a + b + mass; } };
float weigh(const device float* from, uint count) { return from[count]; }
float weigh(float one) { return one; }
#define HALF(x) ((x) / 2)
kernel void f(device float* x, uint i [[thread_position_in_grid]]) {
  x[i] = weigh(x, i);
//             ^ signature
//                ^ signature
//       ^ signature
  x[i] = clamp(x[i], 0.0f, min(x[i], 1.0f));
//                   ^ signature
//                                   ^ signature
  Cell cell(1.0f, 2);
//                ^ signature
  x[i] = cell.plus(1, HALF(2));
//                 ^ signature
//                         ^ signature
  atomic_fetch_add_explicit((device atomic_uint*)x, 1, memory_order_relaxed);
//                                                  ^ signature
  float4 v = float4(1, 2, 3, 4);  // weigh(
//                     ^ signature
//                                         ^ signature
  for (uint k = 0; k < 4; ++k) v[k] = 1;
//                    ^ signature
}
