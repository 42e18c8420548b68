// Buffers bound inside of others, at offsets that their types' alignment allows and no more.
#include <metal_stdlib>
using namespace metal;

// grid: 3
// threadgroup: 3
// in 0 at 12: float 1 2 3 4 5 6
// in 1 at 2: ushort 9 10 20 30
// in 2 at 4: uint 77 0 0 0 78
// out 2: uint 77 14 25 36 78
kernel void add(device const float* a [[buffer(0)]], device const ushort* b [[buffer(1)]],
                device uint* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  out[i] = uint(a[i]) + b[i];
}
