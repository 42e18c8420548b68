// Calls that fit no function, or several.
#include <metal_stdlib>
using namespace metal;

kernel void functions(device float* out [[buffer(0)]], device float4* v [[buffer(1)]],
                      threadgroup float* shared [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = max(out[i], 0);  // expect: call to 'max' is ambiguous
  out[i] = min(i, 3);  // expect: call to 'min' is ambiguous
  out[i] = clamp(out[i], 0.0f, 1);  // expect: call to 'clamp' is ambiguous
  out[i] = sqrt(2);  // expect: call to 'sqrt' is ambiguous
  v[i] = max(v[i], float3(1));  // expect: no matching function for call to 'max'
  out[i] = dot(v[i], float3(1));  // expect: no matching function for call to 'dot'
  v[i] = cross(v[i], v[i]);  // expect: no matching function for call to 'cross'
  out[i] = clz(out[i]);  // expect: call to 'clz' is ambiguous
  out[i] = popcount(v[i]);  // expect: no matching function for call to 'popcount'
  out[i] = fma(out[i], 2.0f);  // expect: no matching function for call to 'fma'
  out[i] = sincos(out[i], *shared);  // expect: no matching function for call to 'sincos'
  out[i] = modf(1.0f, out[i]);  // expect: no matching function for call to 'modf'
  out[i] = as_type<float>(1ul);  // expect: as_type cast from scalar 'unsigned long' to scalar 'float' of different size
}
