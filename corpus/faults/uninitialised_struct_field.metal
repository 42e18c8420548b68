// One field of a record is not set in one case.
// missed by lint: the elements of arrays, records and vectors are not followed one by one
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
struct Hit {
  float distance;
  float weight;
};
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  Hit hit;
  hit.distance = x[t];
  if (x[t] > 20.0f) hit.weight = 2;
  x[t] = hit.distance * hit.weight;  // check: uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  Hit hit;
  hit.distance = x[t];
  hit.weight = x[t] > 20.0f ? 2 : 1;
  x[t] = hit.distance * hit.weight;
}
