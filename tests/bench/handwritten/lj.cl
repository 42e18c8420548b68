// The cell that holds a position, which may lie outside the box.
FUNCTION uint3 cell_of(float3 r, uint M, float L) {
  const float3 inside = r - L * floor(r / L);
  return min(convert_uint3(inside / (L / (float)M)), make_uint3(M - 1));
}

__kernel void lj_clear_cells(BUFFER(cell_count), BUFFER(M3), HOST) {
  ARRAY(uint, cell_count);
  VALUE(uint, M3);
  const uint cell = get_global_id(0);
  if (cell >= M3) return;
  cell_count[cell] = 0;
}

// Sorts particles into cells, one particle a thread, in whatever order they come.
__kernel void lj_build_cells(BUFFER(pos), BUFFER(cell_count), BUFFER(cell_list), BUFFER(N),
                             BUFFER(M), BUFFER(L), BUFFER(MAX_PER_CELL), HOST) {
  ARRAY(const float4, pos);
  ARRAY(uint, cell_count);
  ARRAY(uint, cell_list);
  VALUE(uint, N);
  VALUE(uint, M);
  VALUE(float, L);
  VALUE(uint, MAX_PER_CELL);
  const uint i = get_global_id(0);
  if (i >= N) return;
  const uint3 c = cell_of(xyz(pos[i]), M, L);
  const uint cell = (c.z * M + c.y) * M + c.x;
  const uint slot = atomic_inc(&cell_count[cell]);
  if (slot < MAX_PER_CELL) cell_list[cell * MAX_PER_CELL + slot] = i;
}

// One step, one particle a thread, over the particles of its own cell and the 26 around it.
__kernel void lj_step(BUFFER(pos_in), BUFFER(pos_out), BUFFER(vel_in), BUFFER(vel_out),
                      BUFFER(cell_count), BUFFER(cell_list), BUFFER(N), BUFFER(M), BUFFER(L),
                      BUFFER(rcut2), BUFFER(dt), BUFFER(MAX_PER_CELL), HOST) {
  ARRAY(const float4, pos_in);
  ARRAY(float4, pos_out);
  ARRAY(const float4, vel_in);
  ARRAY(float4, vel_out);
  ARRAY(const uint, cell_count);
  ARRAY(const uint, cell_list);
  VALUE(uint, N);
  VALUE(uint, M);
  VALUE(float, L);
  VALUE(float, rcut2);
  VALUE(float, dt);
  VALUE(uint, MAX_PER_CELL);
  const uint i = get_global_id(0);
  if (i >= N) return;

  const float3 r = xyz(pos_in[i]);
  const uint3 home = cell_of(r, M, L);
  float3 a = make_float3(0.0f);
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const uint x = (uint)((int)(home.x + M) + dx) % M;
        const uint y = (uint)((int)(home.y + M) + dy) % M;
        const uint z = (uint)((int)(home.z + M) + dz) % M;
        const uint cell = (z * M + y) * M + x;
        const uint count = min(cell_count[cell], MAX_PER_CELL);
        for (uint slot = 0; slot < count; ++slot) {
          const uint j = cell_list[cell * MAX_PER_CELL + slot];
          if (j == i) continue;
          float3 d = xyz(pos_in[j]) - r;
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
  const float3 v = xyz(vel_in[i]) + a * dt;
  pos_out[i] = make_float4(r + v * dt, 0.0f);
  vel_out[i] = make_float4(v, 0.0f);
}
