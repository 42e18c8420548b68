#include <metal_stdlib>
using namespace metal;

kernel void count(device const uint* in [[buffer(0)]], device atomic_uint* bins [[buffer(1)]],
                  device atomic_float* sum [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&bins[in[i] % 8], 1, memory_order_relaxed);
  atomic_fetch_add_explicit(sum, float(in[i]), memory_order_relaxed);
}
