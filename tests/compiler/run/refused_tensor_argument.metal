// language: metal4.0
// gap: line 6: cannot translate kernel 'k' yet: its parameter 'a' is a tensor; bind its elements as a buffer
#include <metal_stdlib>
#include <metal_tensor>
using namespace metal;
kernel void k(tensor<device float, dextents<int, 2>> a [[buffer(0)]], device float* out [[buffer(1)]]) {
  out[0] = a[0, 1];
}
