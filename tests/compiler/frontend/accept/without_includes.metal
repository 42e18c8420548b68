kernel void f(device float4* out [[buffer(0)]], constant uint2& n [[buffer(1)]],
              device packed_float3* points [[buffer(2)]], uint2 i [[thread_position_in_grid]]) {
  const ulong2 wide = ulong2(n);
  const half2 narrow = half2(1.0h);
  const int3 numbers{1, 2, 3};
  out[i.x] = float4(wide.x, narrow.x, float(metal::rotate(n.x, 2u)), numbers.y) +
             float4(float3(points[i.y]), metal::select(1.0f, 2.0f, n.x > 3));
}
