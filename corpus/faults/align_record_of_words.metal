// Records of five words begin behind a header of one byte.
// missed by lint: no rule follows the alignment of computed addresses
// grid: 8
// threadgroup: 8
// in 0: uchar 0..191
// in 1: uint 40*0
#include <metal_stdlib>
using namespace metal;
struct Record {
  uint a, b, c, d, e;
};
kernel void faulty(device const uchar* bytes, device Record* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = *(device const Record*)(bytes + 1 + 20 * t);  // check: misaligned
}
kernel void fixed(device const uchar* bytes, device Record* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = *(device const Record*)(bytes + 4 + 20 * t);
}
