// language: metal1.0
// What the first version of the language has.
#include <metal_atomic>
#include <metal_stdlib>
using namespace metal;

kernel void first(device float* out [[buffer(0)]], texture2d<float> image [[texture(0)]],
                  uint i [[thread_position_in_grid]]) {
  threadgroup atomic_int counter;
  atomic_store_explicit(&counter, 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = image.read(uint2(i)).x + precise::sqrt(out[i]);
}
