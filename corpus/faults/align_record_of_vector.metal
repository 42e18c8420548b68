// A structure with a vector of four floats is read behind a float; packed vectors may lie there.
// missed by lint: no rule follows the alignment of computed addresses
// grid: 8
// threadgroup: 8
// in 0: float 1..48
// in 1: float 32*0
#include <metal_stdlib>
using namespace metal;
struct Body {
  float4 position;
};
struct PackedBody {
  packed_float3 position;
  float mass;
};
kernel void faulty(device const float* x, device Body* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = *(device const Body*)(x + 1 + 4 * t);  // check: misaligned
}
kernel void fixed(device const float* x, device PackedBody* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = *(device const PackedBody*)(x + 1 + 4 * t);
}
