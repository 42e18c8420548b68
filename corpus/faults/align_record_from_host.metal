// Pairs of integers begin behind a header of one word, in a buffer of constants.
// grid: 8
// threadgroup: 8
// in 0: uint 0..23
// in 1: uint 16*0
#include <metal_stdlib>
using namespace metal;
struct Pair {
  uint2 both;
};
kernel void faulty(constant uint* words, device Pair* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = ((constant Pair*)(words + 1))[t];  // lint: hazard.misaligned; check: misaligned
}
kernel void fixed(constant uint* words, device Pair* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = ((constant Pair*)(words + 2))[t];
}
