// task: lj
//
// A thread lists the 27 cells before it visits them, and stops at the first empty slot.
#include <metal_stdlib>
using namespace metal;

uint3 cell_of(float3 r, uint M, float L) {
  return min(uint3((r - L * floor(r / L)) / (L / float(M))), M - 1);
}

uint number_of(uint3 cell, uint M) { return (cell.z * M + cell.y) * M + cell.x; }

kernel void lj_clear_cells(device atomic_uint* cell_count [[buffer(0)]], constant uint& M3 [[buffer(1)]],
                           uint cell [[thread_position_in_grid]]) {
  if (cell < M3) atomic_store_explicit(cell_count + cell, 0u, memory_order_relaxed);
}

kernel void lj_build_cells(device const float4* pos [[buffer(0)]], device atomic_uint* cell_count [[buffer(1)]],
                           device uint* cell_list [[buffer(2)]], constant uint& N [[buffer(3)]],
                           constant uint& M [[buffer(4)]], constant float& L [[buffer(5)]],
                           constant uint& MAX_PER_CELL [[buffer(6)]], uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  const uint cell = number_of(cell_of(pos[i].xyz, M, L), M);
  const uint slot = atomic_fetch_add_explicit(cell_count + cell, 1u, memory_order_relaxed);
  if (slot < MAX_PER_CELL) cell_list[cell * MAX_PER_CELL + slot] = i;
}

kernel void lj_step(device const float4* pos_in [[buffer(0)]], device float4* pos_out [[buffer(1)]],
                    device const float4* vel_in [[buffer(2)]], device float4* vel_out [[buffer(3)]],
                    device const uint* cell_count [[buffer(4)]], device const uint* cell_list [[buffer(5)]],
                    constant uint& N [[buffer(6)]], constant uint& M [[buffer(7)]],
                    constant float& L [[buffer(8)]], constant float& rcut2 [[buffer(9)]],
                    constant float& dt [[buffer(10)]], constant uint& MAX_PER_CELL [[buffer(11)]],
                    uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  const float3 r = pos_in[i].xyz;
  const uint3 home = cell_of(r, M, L);
  uint cells[27];
  uint known = 0;
  for (uint z = 0; z < 3; ++z)
    for (uint y = 0; y < 3; ++y)
      for (uint x = 0; x < 3; ++x) cells[known++] = number_of((home + M - 1 + uint3(x, y, z)) % M, M);
  float3 push = 0.0f;
  for (uint n = 0; n < known; ++n) {
    const uint most = min(cell_count[cells[n]], MAX_PER_CELL);
    device const uint* list = cell_list + cells[n] * MAX_PER_CELL;
    uint slot = 0;
    while (slot != most) {
      const uint j = list[slot++];
      float3 d = r - pos_in[j].xyz;
      d -= L * rint(d / L);
      const float r2 = length_squared(d);
      if (j == i || !(r2 < rcut2) || !(r2 > 1e-12f)) continue;
      const float s2 = 1.0f / r2, s6 = s2 * s2 * s2;
      push = fma(float3(24.0f * s6 * (2.0f * s6 - 1.0f) * s2), d, push);
    }
  }
  const float3 v = fma(push, float3(dt), vel_in[i].xyz);
  pos_out[i] = float4(fma(v, float3(dt), r), 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
