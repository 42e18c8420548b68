// task: lj
//
// One loop over 27 cells, whose neighbours are chosen instead of divided, and an exit behind the last slot.
#include <metal_stdlib>
using namespace metal;

uint3 cell_of(float3 r, uint M, float L) {
  return min(uint3((r - L * floor(r / L)) / (L / float(M))), M - 1);
}

uint beside(uint cell, uint step, uint M) {
  if (step == 0) return cell == 0 ? M - 1 : cell - 1;
  if (step == 1) return cell;
  return cell + 1 == M ? 0 : cell + 1;
}

kernel void lj_clear_cells(device atomic_uint* cell_count [[buffer(0)]], constant uint& M3 [[buffer(1)]],
                           uint cell [[thread_position_in_grid]], uint cells [[threads_per_grid]]) {
  for (uint each = cell; each < M3; each += cells)
    atomic_store_explicit(&cell_count[each], 0u, memory_order_relaxed);
}

kernel void lj_build_cells(device const float4* pos [[buffer(0)]], device atomic_uint* cell_count [[buffer(1)]],
                           device uint* cell_list [[buffer(2)]], constant uint& N [[buffer(3)]],
                           constant uint& M [[buffer(4)]], constant float& L [[buffer(5)]],
                           constant uint& MAX_PER_CELL [[buffer(6)]], uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  const uint3 c = cell_of(pos[i].xyz, M, L);
  const uint cell = c.x + M * (c.y + M * c.z);
  const uint slot = atomic_fetch_add_explicit(cell_count + cell, 1u, memory_order_relaxed);
  if (slot >= MAX_PER_CELL) return;
  cell_list[cell * MAX_PER_CELL + slot] = i;
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
  float3 a = 0.0f;
  for (uint n = 0; n < 27; ++n) {
    const uint cell =
        beside(home.x, n % 3, M) + M * (beside(home.y, n / 3 % 3, M) + M * beside(home.z, n / 9, M));
    for (uint slot = 0;; ++slot) {
      if (slot == MAX_PER_CELL || slot == cell_count[cell]) break;
      const uint j = cell_list[cell * MAX_PER_CELL + slot];
      float3 d = pos_in[j].xyz - r;
      d -= L * round(d / L);
      const float r2 = length_squared(d);
      if (j != i && r2 < rcut2 && r2 > 1e-12f) {
        const float r6 = 1.0f / (r2 * r2 * r2);
        a -= 24.0f * r6 * (2.0f * r6 - 1.0f) / r2 * d;
      }
    }
  }
  const float3 v = vel_in[i].xyz + a * dt;
  pos_out[i] = float4(r + v * dt, 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
