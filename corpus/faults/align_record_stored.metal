// Records of two words are written behind a header of two bytes.
// grid: 8
// threadgroup: 8
// in 0: uint 0..15
// in 1: uchar 80*0
#include <metal_stdlib>
using namespace metal;
struct Record {
  uint key, value;
};
kernel void faulty(device const Record* x, device uchar* bytes, uint t [[thread_index_in_threadgroup]]) {
  device Record* records = (device Record*)(bytes + 2);  // lint: hazard.misaligned
  records[t] = x[t];  // check: misaligned
}
kernel void fixed(device const Record* x, device uchar* bytes, uint t [[thread_index_in_threadgroup]]) {
  device Record* records = (device Record*)(bytes + 4);
  records[t] = x[t];
}
