// Threadgroup arrays in inner blocks, of two dimensions, of structs, and in a helper.
#include <metal_stdlib>
using namespace metal;

// kernel: nested
// grid: 8
// threadgroup: 4
// out 0: uint 3 2 1 0 7 6 5 4
kernel void nested(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]]) {
  for (int round = 0; round < 2; ++round) {
    threadgroup uint tile[4];
    {
      threadgroup uint other[4];
      other[t] = i;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      tile[3 - t] = other[t];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = tile[t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}

// kernel: transpose
// grid: 4 4
// threadgroup: 4 2
// out 0: uint 0 1 10 11 20 21 30 31
// out 0: uint 2 3 12 13 22 23 32 33
kernel void transpose(device uint* out [[buffer(0)]], uint2 p [[thread_position_in_grid]],
                      uint2 t [[thread_position_in_threadgroup]],
                      uint2 g [[threadgroup_position_in_grid]]) {
  threadgroup uint tile[4][2];
  tile[t.x][t.y] = 10 * p.x + p.y;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const uint index = t.y * 4 + t.x;
  out[g.y * 8 + index] = tile[index / 2][index % 2];
}

struct Pair {
  float value;
  uint index;
};

// kernel: structs
// grid: 4
// threadgroup: 4
// in 0: float 3 9 -1 4
// out 1: float 9
// out 1: uint 1
kernel void structs(device const float* in [[buffer(0)]], device Pair* out [[buffer(1)]],
                    uint t [[thread_position_in_threadgroup]]) {
  threadgroup Pair best[4];
  best[t] = {in[t], t};
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 2; step > 0; step /= 2) {
    if (t < step && best[t + step].value > best[t].value) best[t] = best[t + step];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) out[0] = best[0];
}

static uint total(threadgroup uint* values, uint count) {
  uint sum = 0;
  for (uint i = 0; i < count; ++i) sum += values[i];
  return sum;
}

// kernel: through_helper
// grid: 5
// threadgroup: 5
// out 0: uint 5*30
kernel void through_helper(device uint* out [[buffer(0)]],
                           uint t [[thread_position_in_threadgroup]],
                           uint n [[threads_per_threadgroup]]) {
  threadgroup uint squares[8];
  squares[t] = t * t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = total(squares, n);
}
