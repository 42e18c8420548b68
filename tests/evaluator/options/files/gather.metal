#include <metal_stdlib>
using namespace metal;

inline float energy(float value) { return 0.5f * value * value; }

// Each thread takes the entry of the table that its number in `order` names; 1000 stands for none.
kernel void gather(device const float* table [[buffer(0)]], device const uint* order [[buffer(1)]],
                   device float* y [[buffer(2)]], constant uint& n [[buffer(3)]],
                   uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  float sum = 0;
  uint at = order[i];
  if (at <= 1000) sum += energy(table[at]);
  y[i] = sum / float(n);
}
