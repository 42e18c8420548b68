// What a compiler of tensor programs writes: flat kernels with numbered names, a struct of arguments each, no loops
// that a person would write.
#include <metal_stdlib>
using namespace metal;

union ArgumentUnion {
  int v_int[2];
};
static inline float erf_approximate(float x) {
  const float t = 1.000000e+00f / (1.000000e+00f + 3.275911e-01f * fabs(x));
  return copysign(1.000000e+00f - (((((1.061405e+00f * t) + -1.453152e+00f) * t + 1.421414e+00f) * t + -2.844967e-01f) * t + 2.548296e-01f) * t * exp(-x * x), x);
}
// For each N, 3 kernels:
struct fused_add_relu_@N@_kernel_args_t {
  int v_n, v_m;
};
kernel void fused_add_relu_@N@_kernel(device float* T_relu [[ buffer(0) ]], device const float* p0 [[ buffer(1) ]], device const float* p1 [[ buffer(2) ]], constant fused_add_relu_@N@_kernel_args_t& arg [[ buffer(3) ]], uint3 blockIdx [[threadgroup_position_in_grid]], uint3 threadIdx [[thread_position_in_threadgroup]]) {
  int i0_i1_fused = ((((int)blockIdx.x) * 256) + ((int)threadIdx.x));
  if (i0_i1_fused < (arg.v_n * arg.v_m)) {
    float v_ = (p0[i0_i1_fused] + p1[(i0_i1_fused % arg.v_m)]);
    T_relu[i0_i1_fused] = ((v_) > (0.000000e+00f) ? (v_) : (@N@.000000e+00f * 0.000000e+00f));
  }
}
struct fused_gelu_tile_@N@_kernel_args_t {
  int n;
};
kernel void fused_gelu_tile_@N@_kernel(device half* compute [[ buffer(0) ]], device const half* lv@N@ [[ buffer(1) ]], constant fused_gelu_tile_@N@_kernel_args_t& arg [[ buffer(2) ]], uint3 blockIdx [[threadgroup_position_in_grid]], uint3 threadIdx [[thread_position_in_threadgroup]]) {
  threadgroup half lv_shared[256];
  int ax0 = ((((int)blockIdx.x) << 8) | ((int)threadIdx.x));
  lv_shared[((int)threadIdx.x)] = ((ax0 < arg.n) ? lv@N@[ax0] : ((half)0.000000e+00f));
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (ax0 < arg.n) {
    half2 pair = half2(lv_shared[((int)threadIdx.x)], lv_shared[(((int)threadIdx.x) ^ 1)]);
    compute[ax0] = ((half)(((float)pair.x) * (5.000000e-01f + (erf_approximate((((float)pair.x) * 7.071068e-01f)) * 5.000000e-01f)))) + (pair.y * ((half)0.000000e+00f));
  }
}
kernel void triton_poi_fused_cat_mul_@N@(device float* out_ptr0, constant float* in_ptr0, constant long* in_ptr1, constant long& xnumel, uint xindex [[thread_position_in_grid]]) {
  if (xindex >= xnumel) return;
  auto x0 = metal::fmod(float(xindex), @N@.0);
  auto tmp0 = in_ptr0[xindex];
  auto tmp1 = in_ptr1[xindex];
  auto tmp2 = tmp1 < 0 ? tmp1 + xnumel : tmp1;
  auto tmp3 = static_cast<float>(tmp2);
  auto tmp4 = metal::precise::sin(tmp3) * tmp0 + x0;
  out_ptr0[xindex] = static_cast<float>(tmp4);
}
