// A record is read from any byte of a private array.
// missed by lint: no rule follows the alignment of computed addresses
// grid: 64
// threadgroup: 64
// in 0: uint 0..63
// in 1: uint 128*0
#include <metal_stdlib>
using namespace metal;
struct Record {
  uint key, value;
};
kernel void faulty(device const uint* u, device Record* y, uint t [[thread_index_in_threadgroup]]) {
  uchar bytes[12];
  for (uint k = 0; k < 12; ++k) bytes[k] = uchar(u[t] + k);
  thread const Record* record = (thread const Record*)(bytes + (u[t] & 3));
  y[t] = *record;  // check: misaligned
}
kernel void fixed(device const uint* u, device Record* y, uint t [[thread_index_in_threadgroup]]) {
  uchar bytes[12];
  for (uint k = 0; k < 12; ++k) bytes[k] = uchar(u[t] + k);
  thread const Record* record = (thread const Record*)(bytes + (u[t] & 4));
  y[t] = *record;
}
