// set width: 3
// set doubles: true
// set scale: 0.5
// set has_more: false
// set unit::bias: -2
// set tile: ushort2(5,6)
// set weights: [0.5,1,2]
// set same: int3(4)
// kernel: scaled
// grid: 4
// threadgroup: 4
// in 0: float 1 2 3 4
// out 1: float 1 4 7 10
// kernel: defined
// grid: 1
// threadgroup: 1
// out 0: int 3 7 -2 1
// kernel: computed
// grid: 2
// threadgroup: 2
// out 0: uint 6 7
// kernel: vectors
// grid: 1
// threadgroup: 1
// out 0: float 5 6 0.5 1 2 4 4 4 11
#include <metal_stdlib>
using namespace metal;

constant uint width [[function_constant(0)]];
constant bool doubles [[function_constant(1)]];
constant half scale [[function_constant(2)]];
constant bool has_more [[function_constant(3)]];
constant int unset [[function_constant(4)]];
namespace unit {
constant short bias [[function_constant(5)]];
}

// Computed from others.
constant bool is_wide = width > 2 && doubles;
constant uint rows = is_wide ? width * 2 : width;
constant int with_default = is_function_constant_defined(unset) ? unset : 7;
constant bool adds_more = has_more || !is_wide;

// A parameter that does not exist.
kernel void scaled(device const float* in, device float* out,
                   device const float* more [[function_constant(adds_more)]],
                   uint i [[thread_position_in_grid]]) {
  float value = in[i] * float(scale) * (doubles ? 2 : 1) * float(width) + float(unit::bias);
  if (adds_more) value += more[i];
  out[i] = value;
}

kernel void defined(device int* out) {
  out[0] = is_function_constant_defined(width) ? int(width) : -1;
  out[1] = with_default;
  out[2] = is_function_constant_defined(unit::bias) ? unit::bias : 0;
  out[3] = is_function_constant_defined(unset) ? 0 : 1;
}

// It also decides on the size of threadgroup memory that is left.
kernel void computed(device uint* out, uint i [[thread_position_in_grid]]) {
  threadgroup uint cache[64];
  out[i] = rows + i;
  if (!is_wide) {
    cache[i] = out[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = cache[i ^ 1];
  }
}

constant ushort2 tile [[function_constant(6)]];
constant float3 weights [[function_constant(7)]];
constant int3 same [[function_constant(8)]];
constant uint area = tile.x + tile.y;

kernel void vectors(device float* out) {
  out[0] = tile.x;
  out[1] = tile.y;
  for (uint i = 0; i < 3; ++i) out[2 + i] = weights[i];
  for (uint i = 0; i < 3; ++i) out[5 + i] = same[i];
  out[8] = area;
}
