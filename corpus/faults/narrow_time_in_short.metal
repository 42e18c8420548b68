// A product of a time and a rate is kept in a short.
// missed by lint: the values of the host and of buffers are not known
// grid: 3
// threadgroup: 3
// in 0: int 10 100 1000
// in 1: int 44
// in 2: int 3*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const int* time, constant int& rate, device int* sample,
                   uint i [[thread_position_in_grid]]) {
  short at = time[i] * rate;  // check: narrowed
  if (at < 0) at = 0;
  sample[i] = at;
}
kernel void fixed(device const int* time, constant int& rate, device int* sample,
                  uint i [[thread_position_in_grid]]) {
  int at = time[i] * rate;
  if (at < 0) at = 0;
  sample[i] = at;
}
