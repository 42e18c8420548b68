// An attribute between a name and the length of an array.
#include <metal_stdlib>
using namespace metal;
#define NOTE(text) __attribute__((annotate(text)))
#define UNUSED [[maybe_unused]]
float first(threadgroup float a NOTE("shared")[32], uint i) { return a[i]; }
float second(constant float4 rows NOTE("rows")[4][2]) { return rows[1][1].x; }
template <typename T, int N> T third(thread T values UNUSED[N]) { return values[N - 1]; }
constant float4 rows[4][2] = {{float4(1), float4(2)}};
struct Tile { float values NOTE("tile")[16]; uint count NOTE("count"); };
kernel void all(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float shared NOTE("dsl")[32];
  float own UNUSED[3] = {1, 2, 3};
  Tile tile = {{x[i]}, 1};
  shared[i % 32] = tile.values[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = first(shared, i % 32) + second(rows) + third<float, 3>(own);
}
