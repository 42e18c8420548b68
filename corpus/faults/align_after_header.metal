// Records of eight bytes begin behind a header of four.
// grid: 16
// threadgroup: 16
// in 0: uint 0..63
// in 1: ulong 16*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* words, device ulong* y, uint t [[thread_index_in_threadgroup]]) {
  device const ulong* records = (device const ulong*)(words + 1);  // lint: hazard.misaligned
  y[t] = records[t];  // check: misaligned
}
kernel void fixed(device const uint* words, device ulong* y, uint t [[thread_index_in_threadgroup]]) {
  device const ulong* records = (device const ulong*)(words + 2);
  y[t] = records[t];
}
