// kernel: offset_or_nothing
// grid: 8
// threadgroup: 8
// in 1: float 1..8
// in 2: float 10 20 30 40 50 60 70 80
// out 0: float 11 22 33 44 55 66 77 88
// kernel: nothing_added
// grid: 4
// threadgroup: 4
// in 1: float 1..4
// out 0: float 1..4
// kernel: in_threadgroup_memory
// grid: 4
// threadgroup: 4
// in 1: uint 0 1 0 1
// out 0: uint 7 1 7 3
// kernel: in_a_struct
// grid: 4
// threadgroup: 4
// in 1: float 1..4
// out 0: float 2 2 6 4
#include <metal_stdlib>
using namespace metal;

// A null pointer that is chosen at run time.
kernel void offset_or_nothing(device float* out, device const char* a, device const char* b,
                              uint i [[thread_position_in_grid]]) {
  device const float* values = (device const float*)a;
  device const float* more = a != b ? (device const float*)b : nullptr;
  float sum = values[i];
  for (uint k = 0; k < 1; ++k) sum += more ? more[i] : 0.0f;
  out[i] = sum;
}

// A null pointer that is passed to a helper.
static float add(float value, device const float* more, uint i) {
  if (more == nullptr) return value;
  return value + more[i];
}
kernel void nothing_added(device float* out, device const float* in,
                          uint i [[thread_position_in_grid]]) {
  out[i] = add(in[i], nullptr, i);
}

kernel void in_threadgroup_memory(device uint* out, device const uint* choice,
                                  uint i [[thread_position_in_grid]]) {
  threadgroup uint cache[4];
  cache[i] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup uint* from = nullptr;
  if (choice[i] == 1) from = cache;
  out[i] = from ? from[i] : 7;
}

struct Source {
  device const float* values;
  device const float* factor;
  float at(uint i) const { return factor ? values[i] * *factor : values[i]; }
};
kernel void in_a_struct(device float* out, device const float* in,
                        uint i [[thread_position_in_grid]]) {
  Source source = {in, nullptr};
  if (i % 2 == 0) source.factor = in + 1;
  out[i] = source.at(i);
}
