// Names that Metal lacks.
#include <metal_stdlib>
#include <metal_atomic>
using namespace metal;

kernel void names(device float* out [[buffer(0)]], device atomic_uint* a [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  float c;
  out[i] = sincospi(out[i], c);  // expect: use of undeclared identifier 'sincospi'; did you mean 'sincos'?
  out[i] = math::floor(out[i]);  // expect: use of undeclared identifier 'math'
  out[i] = std::max(out[i], 1.0f);  // expect: use of undeclared identifier 'std'
  uint lane = simd_lane_id;  // expect: use of undeclared identifier 'simd_lane_id'
  out[i] = erf(out[i]);  // expect: use of undeclared identifier 'erf'
  out[i] = expm1(out[i]);  // expect: use of undeclared identifier 'expm1'
  out[i] = lgamma(out[i]);  // expect: use of undeclared identifier 'lgamma'
  out[i] = native_exp(out[i]);  // expect: use of undeclared identifier 'native_exp'
  out[i] = get_global_id(0);  // expect: use of undeclared identifier 'get_global_id'
  out[i] = __sinf(out[i]);  // expect: use of undeclared identifier '__sinf'
  atomic_fetch_add(a, 1);  // expect: use of undeclared identifier 'atomic_fetch_add'
  atomic_fetch_add_explicit(a, 1, memory_order_acquire);  // expect: use of undeclared identifier 'memory_order_acquire'
  threadgroup_barrier(mem_flags::mem_shared);  // expect: no member named 'mem_shared' in 'metal::mem_flags'
  barrier(1);  // expect: use of undeclared identifier 'barrier'
  simd_vote_any(true);  // expect: use of undeclared identifier 'simd_vote_any'
  float16 big;  // expect: unknown type name 'float16'
  printf("%f", c);  // expect: use of undeclared identifier 'printf'
}
