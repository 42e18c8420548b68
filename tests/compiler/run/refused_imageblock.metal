// gap: line 5: cannot translate kernel 'k' yet: its parameter 'block' is an imageblock; use threadgroup memory
#include <metal_stdlib>
using namespace metal;
struct Pixel { half4 colour; };
kernel void k(imageblock<Pixel> block, ushort2 at [[thread_position_in_threadgroup]]) {
  block.write(block.read(at), at);
}
