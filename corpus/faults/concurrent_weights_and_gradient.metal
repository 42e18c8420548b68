// A step of gradient descent reads the weights that the other step changes.
// missed by lint: a source does not say which launches overlap
// grid: 32
// threadgroup: 32
// launches: 2 concurrent
// in 0: float 1..32
// in 1: float 0.5
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* weights, constant float& rate, uint i [[thread_position_in_grid]]) {
  const float gradient = 2 * weights[i];  // check: race
  weights[i] -= rate * gradient;  // check: race
}
kernel void fixed(device atomic_float* weights, constant float& rate, uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&weights[i], -rate, memory_order_relaxed);
}
