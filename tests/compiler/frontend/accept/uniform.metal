// Values that are the same in all threads; matrices of a simdgroup.
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              threadgroup float* tile [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  uniform<uint> count = make_uniform(n);
  auto a = make_filled_simdgroup_matrix<float, 8>(1.0f);
  simdgroup_matrix<float, 8> b = a * a;
  simdgroup_store(b, tile, 8);
  for (uint k = 0; k < count; ++k) x[i] += tile[k];
}
