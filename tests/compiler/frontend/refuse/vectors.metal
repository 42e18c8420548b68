// Vectors that do not fit.
#include <metal_stdlib>
using namespace metal;

typedef float wide __attribute__((ext_vector_type(8)));

kernel void vectors(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4 v = float4(1, 2);  // expect: no matching function for call to 'float4'
  float3 w = float3(v.xy);  // expect: no matching function for call to 'float3'
  float2 u = float2(1, 2, 3);  // expect: no matching function for call to 'float2'
  v = w;  // expect: assigning to 'float4' (vector of 4 'float' values) from incompatible type 'float3' (vector of 3 'float' values)
  int4 k = v;  // expect: cannot initialize a variable of type 'int4' (vector of 4 'int' values)
  v = v + w;  // expect: cannot convert between vector values of different size
  v = v % v;  // expect: invalid operands to binary expression ('float4' (vector of 4 'float' values) and 'float4')
  v = v & 3;  // expect: invalid operands to binary expression
  v.q = 1;  // expect: illegal vector component name 'q'
  w.w = 1;  // expect: vector component access exceeds type 'float3'
  uint4 mask = v < 1.0f;  // expect: cannot initialize a variable of type 'uint4'
  if (v < w.xxxx) v = 0;  // expect: is not contextually convertible to 'bool'
  half h = 1.0h % 2.0h;  // expect: invalid operands to binary expression ('half' and 'half')
  packed_float3 p = float2(1);  // expect: no viable conversion from
  half4 x = (float3)h;  // expect: cannot initialize a variable of type 'half4'
  wide eight = 0;
  float4 z = (float4)eight;  // expect: no matching conversion for cast
  float4 y = metal::float4(1, 2);  // expect: no matching function for call to 'float4'
  out[i] = select(v, v, uint4(1));  // expect: no matching function for call to 'select'
}
