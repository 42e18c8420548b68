// Tensors. README.md explains the lines that begin a source.
// --- tensor_argument: metal4.0.. | Apple7 | dextents
#include <metal_stdlib>
using namespace metal;
#include <metal_tensor>
kernel void k(tensor<device float, dextents<int, 2>> t [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  t[int(i), 0] = 1;
}

// --- tensor_inline: metal4.0.. | Apple7 | dextents
#include <metal_stdlib>
using namespace metal;
#include <metal_tensor>
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  tensor<device float, dextents<int, 1>, tensor_inline> t(out, dextents<int, 1>(4));
  t[int(i)] = 1;
}

// --- tensor_without_header: none | dextents
#include <metal_stdlib>
using namespace metal;
kernel void k(tensor<device float, dextents<int, 2>> t [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  t[int(i), 0] = 1;
}

// --- extents: metal4.0.. | Apple7 | dextents
#include <metal_stdlib>
using namespace metal;
#include <metal_tensor>
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  dextents<int, 2> e(3, 4);
  out[i] = e.extent(0);
}

// --- tensor_of_the_source: ..
#include <metal_stdlib>
using namespace metal;
struct tensor {
  float x;
};
kernel void k(device tensor* t [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  t[i].x = 1;
}

// --- behind_a_version: ..
#include <metal_stdlib>
using namespace metal;
#if __METAL_VERSION__ >= 400 && __has_include(<metal_tensor>)
#include <metal_tensor>
typedef tensor<device float, dextents<int, 1>, tensor_inline> view;
#endif
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = 0;
}

// --- header_alone: ..
#include <metal_stdlib>
using namespace metal;
#include <metal_tensor>
#include <metal_cooperative_tensor>
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = 0;
}

// --- performance_primitives_alone: ..
#include <metal_stdlib>
using namespace metal;
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = 0;
}

// --- matmul2d: metal4.0.. | Apple7 | dextents
#include <metal_stdlib>
using namespace metal;
#include <metal_tensor>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
kernel void k(device half* a [[buffer(0)]], device half* b [[buffer(1)]], device float* c [[buffer(2)]]) {
  typedef tensor<device half, dextents<int, 2>, tensor_inline> operand;
  operand left(a, dextents<int, 2>(16, 16)), right(b, dextents<int, 2>(16, 16));
  tensor<device float, dextents<int, 2>, tensor_inline> result(c, dextents<int, 2>(16, 16));
  constexpr auto shape = mpp::tensor_ops::matmul2d_descriptor(16, 16, 16);
  mpp::tensor_ops::matmul2d<shape, execution_simdgroup> multiply;
  multiply.run(left, right, result);
}
