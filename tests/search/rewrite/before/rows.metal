#include <metal_stdlib>
using namespace metal;

float meet(float x) {
  threadgroup_barrier(mem_flags::mem_none);
  return x;
}

kernel void largest(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                    constant uint& width [[buffer(2)]], constant uint& height [[buffer(3)]],
                    uint i [[thread_position_in_threadgroup]],
                    uint threads [[threads_per_threadgroup]]) {
  float mine = 0.0f;
  for (uint cell = i; cell < width * height; cell += threads) {
    const uint row = cell / width;
    if (cell % width == 0) continue;
    mine = max(mine, x[(row + 1) * width + cell % width] + float(cell));
  }
  for (uint cell = i; cell < width * height; cell += threads) {
    if (cell / width > 4) mine += x[cell];
  }
  for (uint cell = i; cell < width * height; cell += threads)  // two lengths
    mine += x[cell / width] + x[cell % height];
  for (uint cell = i; cell < width * height; cell += threads) {  // the length changes
    const uint length = cell + 1;
    mine += x[cell / length];
  }
  for (uint cell = i; cell < width * height; cell += threads) {  // is left early
    if (cell / width == 3) break;
  }
  for (uint cell = i; cell < width * height; cell += threads) mine += meet(x[cell / width]);
  for (uint cell = i; cell < width; cell += threads) mine += x[cell % 4];  // the length is a constant
  for (int cell = 0; cell < int(width); cell += 2) mine += x[cell / int(height)];  // has a sign
  y[i] = mine;
}
