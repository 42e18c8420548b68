#include <metal_stdlib>
using namespace metal;

constant uint EACH [[function_constant(0)]];  // msci: tune EACH 1 2 4
#define FACTOR 2                              // msci: tune FACTOR 2 3
constant uint WIDTH = 32;                     // msci: tune WIDTH 8 16 32
// msci: tune where EACH * WIDTH <= 64

// A factor of 3 is wrong. With a WIDTH of 8, 1 and 4 of EACH compile to one program.
kernel void twice [[max_total_threads_per_threadgroup(WIDTH)]] (
    device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
    constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  float sum = 0;
  for (uint round = 0; round < EACH; ++round) sum += FACTOR * x[i] / float(EACH);
  y[i] = sum;
}
