// A function sets its result in one case only.
// missed by lint: what a function leaves unset is not followed
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
static void find(float value, thread float& found) {
  if (value > 30.0f) found = value;
}
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float found;
  find(x[t], found);
  x[t] = found;  // check: uninitialised
}
static void find_any(float value, thread float& found) { found = value > 30.0f ? value : 0.0f; }
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float found;
  find_any(x[t], found);
  x[t] = found;
}
