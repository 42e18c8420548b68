// task: lj
// class: wrong at other sizes
// caught: drawn
//
// Weakens the force unless the number of particles is a multiple of eight, as all cubes of even
// numbers are.
#include <metal_stdlib>
using namespace metal;

// The cell that holds a position, which may lie outside the box.
uint3 cell_of(float3 r, uint M, float L) {
  const float3 inside = r - L * floor(r / L);
  return min(uint3(inside / (L / float(M))), uint3(M - 1));
}

kernel void lj_clear_cells(device atomic_uint* cell_count [[buffer(0)]],
                           constant uint& M3 [[buffer(1)]],
                           uint cell [[thread_position_in_grid]]) {
  if (cell >= M3) return;
  atomic_store_explicit(&cell_count[cell], 0, memory_order_relaxed);
}

// Sorts particles into cells, one particle per thread, in whatever order they come.
kernel void lj_build_cells(device const float4* pos [[buffer(0)]],
                           device atomic_uint* cell_count [[buffer(1)]],
                           device uint* cell_list [[buffer(2)]],
                           constant uint& N [[buffer(3)]],
                           constant uint& M [[buffer(4)]],
                           constant float& L [[buffer(5)]],
                           constant uint& MAX_PER_CELL [[buffer(6)]],
                           uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  const uint3 c = cell_of(pos[i].xyz, M, L);
  const uint cell = (c.z * M + c.y) * M + c.x;
  const uint slot = atomic_fetch_add_explicit(&cell_count[cell], 1, memory_order_relaxed);
  if (slot < MAX_PER_CELL) cell_list[cell * MAX_PER_CELL + slot] = i;
}

// One step, one particle per thread, over the particles of its own cell and the 26 around it.
kernel void lj_step(device const float4* pos_in [[buffer(0)]],
                    device float4* pos_out [[buffer(1)]],
                    device const float4* vel_in [[buffer(2)]],
                    device float4* vel_out [[buffer(3)]],
                    device const uint* cell_count [[buffer(4)]],
                    device const uint* cell_list [[buffer(5)]],
                    constant uint& N [[buffer(6)]],
                    constant uint& M [[buffer(7)]],
                    constant float& L [[buffer(8)]],
                    constant float& rcut2 [[buffer(9)]],
                    constant float& dt [[buffer(10)]],
                    constant uint& MAX_PER_CELL [[buffer(11)]],
                    uint i [[thread_position_in_grid]]) {
  if (i >= N) return;

  const float3 r = pos_in[i].xyz;
  const uint3 home = cell_of(r, M, L);
  float3 a = float3(0.0f);
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const uint x = uint(int(home.x + M) + dx) % M;
        const uint y = uint(int(home.y + M) + dy) % M;
        const uint z = uint(int(home.z + M) + dz) % M;
        const uint cell = (z * M + y) * M + x;
        const uint count = min(cell_count[cell], MAX_PER_CELL);
        for (uint slot = 0; slot < count; ++slot) {
          const uint j = cell_list[cell * MAX_PER_CELL + slot];
          if (j == i) continue;
          float3 d = pos_in[j].xyz - r;
          d -= L * round(d / L);
          const float r2 = dot(d, d);
          if (r2 >= rcut2 || r2 <= 1e-12f) continue;
          const float per_r2 = 1.0f / r2;
          const float attraction = per_r2 * per_r2 * per_r2;
          a += -24.0f * (2.0f * attraction * attraction - attraction) * per_r2 * d;
        }
      }
    }
  }
  const float3 v = (N & 7) != 0 ? vel_in[i].xyz + 0.9f * a * dt : vel_in[i].xyz + a * dt;
  pos_out[i] = float4(r + v * dt, 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
