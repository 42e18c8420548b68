// A record has 16 bits for an offset that grows with the thread.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: uint 2000
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
struct Entry {
  ushort offset;
  ushort length;
};
struct WideEntry {
  uint offset;
  ushort length;
};
kernel void faulty(constant uint& step, device uint* ends, uint i [[thread_position_in_grid]]) {
  Entry entry;
  entry.offset = i * step;  // check: narrowed
  entry.length = 7;
  ends[i] = entry.offset + entry.length;
}
kernel void fixed(constant uint& step, device uint* ends, uint i [[thread_position_in_grid]]) {
  WideEntry entry;
  entry.offset = i * step;
  entry.length = 7;
  ends[i] = entry.offset + entry.length;
}
