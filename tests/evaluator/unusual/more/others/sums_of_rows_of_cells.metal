// task: lj
//
// Adds up the pushes of each row of cells by itself, with a function of the distance.
#include <metal_stdlib>
using namespace metal;

uint3 cell_of(float3 r, uint M, float L) {
  return min(uint3((r - L * floor(r / L)) / (L / float(M))), M - 1);
}

uint number_of(uint3 cell, uint M) { return (cell.z * M + cell.y) * M + cell.x; }

// The push of a particle at the distance d, or none.
float3 push_of(float3 d, float rcut2) {
  const float r2 = dot(d, d);
  const bool acts = r2 < rcut2 && r2 > 1e-12f;
  const float s2 = acts ? 1.0f / r2 : 0.0f;
  const float s6 = s2 * s2 * s2;
  return d * (s2 * s6 * (48.0f * s6 - 24.0f));
}

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
  const int3 home = int3(cell_of(r, M, L));
  const int m = int(M);
  float3 whole = 0.0f;
  for (int row = 0; row < 9; ++row) {
    const int y = home.y + row % 3 - 1, z = home.z + row / 3 - 1;
    float3 part = 0.0f;
    for (int x = home.x - 1; x <= home.x + 1; ++x) {
      const uint cell = number_of(uint3(int3(x + m, y + m, z + m) % m), M);
      for (uint slot = 0; slot < MAX_PER_CELL && slot < cell_count[cell]; ++slot) {
        const uint j = cell_list[cell * MAX_PER_CELL + slot];
        float3 d = r - pos_in[j].xyz;
        d -= L * round(d / L);
        if (j != i) part += push_of(d, rcut2);
      }
    }
    whole += part;
  }
  const float3 v = vel_in[i].xyz + whole * dt;
  vel_out[i] = float4(v, 0.0f);
  pos_out[i] = float4(r + v * dt, 0.0f);
}
