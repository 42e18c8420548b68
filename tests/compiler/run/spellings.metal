// Kernels spelt with an attribute, kernel templates with names for the host, OpenCL's own words as names.
#include <metal_stdlib>
using namespace metal;

// kernel: by_attribute
// grid: 2
// threadgroup: 2
// out 0: uint 5 6
[[kernel]] void by_attribute(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = i + 5;
}

template <typename T, int N>
[[kernel]] void fill(device T* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = T(N) / T(2);
}

// kernel: fill_float
// grid: 2
// threadgroup: 2
// out 0: float 1.5 1.5
template [[host_name("fill_float")]] [[kernel]] void fill<float, 3>(device float*, uint);
// kernel: fill_int
// grid: 2
// threadgroup: 2
// out 0: int 3 3
template [[host_name("fill_int")]] [[kernel]] void fill<int, 7>(device int*, uint);

// kernel: global
// grid: 2
// threadgroup: 2
// in 0: int 1 2
// out 0: int 3 5
kernel void global(device int* local [[buffer(0)]], uint get_global_id [[thread_position_in_grid]]) {
  const int barrier = local[get_global_id];
  local[get_global_id] = 2 * barrier + 1;
}

// kernel: unnumbered
// grid: 2
// threadgroup: 2
// in 0: int 1 2
// in 1: int 10
// out 2: int 11 12
kernel void unnumbered(device const int* x, constant int& y, device int* out,
                       uint i [[thread_position_in_grid]]) {
  out[i] = x[i] + y;
}
