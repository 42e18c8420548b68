#include <metal_stdlib>
using namespace metal;
#define SQUARE(x) ((x) * (x))
constant float factor = 0.5f;
enum class Kind { small, large };
struct Cell { float mass; float twice() const { return 2 * mass; } };
namespace more { using Real = float; }
template <typename T> T same(T x) { return x; }
kernel void f(device const Cell* cells [[buffer(0)]], device float* y [[buffer(1)]],
              threadgroup float* part, uint i [[thread_position_in_grid]]) {
  more::Real own = cells[i].mass * factor;
  float4 v(own);
  y[i] = SQUARE(own) + same(v.x) + sqrt(part[i]) + cells[i].twice();
#if 0
  y[i] = own;
#endif
  Kind kind = Kind::small;
  threadgroup_barrier(mem_flags::mem_threadgroup);
}
//? tokens
