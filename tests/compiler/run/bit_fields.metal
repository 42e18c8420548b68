// Fields of bits, whose accesses have three or five bytes, beside bytes that they leave alone.
#include <metal_stdlib>
using namespace metal;

struct Three { uint first : 24; uchar last; };
struct Five { ulong first : 40; uchar last; };

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
