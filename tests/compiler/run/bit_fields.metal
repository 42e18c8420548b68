// Bit-fields, whose accesses have three, five or six bytes, beside bytes that they leave alone.
#include <metal_stdlib>
using namespace metal;

struct Three { uint first : 24; uchar last; };
struct Five { ulong first : 40; uchar last; };
struct Six { ulong first : 48; ushort last; };
struct __attribute__((packed)) Packed { uint first : 24; };

// kernel: bit_fields
// grid: 4
// threadgroup: 4
// in 0: uint 2 0 3 1
// in 1: uint 4278190081 4278190082 4278190083 4278190084
// out 1: uint 4278190081 4278206470 4278194180 4278202375
// in 2: uint 4294967295 32513 4294967295 32513 4294967295 32513 4294967295 32513
// out 2: uint 4294967295 32513 0 32514 0 32514 0 32514
kernel void bit_fields(device const uint* places [[buffer(0)]], device Three* threes [[buffer(1)]],
                       device Five* fives [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i == 1) return;
  threes[places[i]].first += 4097 * (i + 1);
  fives[places[i]].first += 1;
}

// kernel: private_fields
// grid: 4
// threadgroup: 4
// in 0: uint 2 0 3 1
// out 1: uint 307 105 408 206
kernel void private_fields(device const uint* places [[buffer(0)]], device uint* out [[buffer(1)]],
                           uint i [[thread_position_in_grid]]) {
  Five fives[4];
  Six sixes[4];
  for (uint j = 0; j < 4; ++j) {
    fives[j].last = 5 + j;
    sixes[j].last = 100 * (j + 1);
  }
  fives[places[i]].first = i;
  sixes[places[i]].first = i;
  out[i] = fives[places[i]].last + sixes[places[i]].last;
}

// kernel: packed_fields
// grid: 5
// threadgroup: 5
// in 0: uint 33554433 262147 83886080 117440519
// out 0: uint 33558530 268763139 84934912 117444616
kernel void packed_fields(device Packed* fields [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i != 1) fields[i].first += 4097;
}
