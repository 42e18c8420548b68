// The last node of a list points to nothing.
// missed by lint: the list is in memory
// grid: 1
// threadgroup: 1
// in 0: pointer 7
// in 0: ulong 5
// in 1: ulong 0
// in 7: ulong 0 6
#include <metal_stdlib>
using namespace metal;
struct Node {
  device Node* next;
  ulong value;
};
kernel void faulty(device Node* node [[buffer(0)]], device ulong& sum [[buffer(1)]]) {
  for (uint n = 0; n < 3; ++n, node = node->next)  // check: out_of_bounds
    sum += node->value;  // check: out_of_bounds
}
kernel void fixed(device Node* node [[buffer(0)]], device ulong& sum [[buffer(1)]]) {
  for (uint n = 0; n < 3 && node; ++n, node = node->next)
    sum += node->value;
}
