// Lennard-Jones forces by cell lists: count the particles of each cell, put each into its cell's
// part of a list once the host has scanned the counts, then meet only the 27 cells around.
#include <metal_stdlib>
using namespace metal;

struct Cells {
  uint3 count;     // in each direction, at least three
  float3 inverse;  // cells per length
  float3 box;      // lengths of the periodic box
  float cutoff;    // squared, and no longer than a cell is wide
};

static uint3 cell_of(float3 position, constant Cells& cells) {
  // Rounding may put a particle at the upper wall one cell too far.
  return min(uint3(position * cells.inverse), cells.count - 1);
}

static uint number_of(uint3 cell, constant Cells& cells) {
  return (cell.z * cells.count.y + cell.y) * cells.count.x + cell.x;
}

kernel void count_particles(device const float4* positions [[buffer(0)]],
                            device atomic_uint* counts [[buffer(1)]],
                            constant Cells& cells [[buffer(2)]],
                            constant uint& particles [[buffer(3)]],
                            uint i [[thread_position_in_grid]]) {
  if (i >= particles) return;
  const uint cell = number_of(cell_of(positions[i].xyz, cells), cells);
  atomic_fetch_add_explicit(&counts[cell], 1, memory_order_relaxed);
}

// `filled` starts as a copy of `starts`.
kernel void list_particles(device const float4* positions [[buffer(0)]],
                           device atomic_uint* filled [[buffer(1)]],
                           device uint* list [[buffer(2)]],
                           constant Cells& cells [[buffer(3)]],
                           constant uint& particles [[buffer(4)]],
                           uint i [[thread_position_in_grid]]) {
  if (i >= particles) return;
  const uint cell = number_of(cell_of(positions[i].xyz, cells), cells);
  list[atomic_fetch_add_explicit(&filled[cell], 1, memory_order_relaxed)] = i;
}

static float3 force_between(float3 apart, float cutoff) {
  const float squared = dot(apart, apart);
  if (squared >= cutoff || squared == 0.0f) return float3(0.0f);
  const float inverse = 1.0f / squared;
  const float sixth = inverse * inverse * inverse;
  return 24.0f * inverse * sixth * (2.0f * sixth - 1.0f) * apart;
}

kernel void find_forces(device const float4* positions [[buffer(0)]],
                        device const uint* starts [[buffer(1)]],  // one more than there are cells
                        device const uint* list [[buffer(2)]],
                        device float4* forces [[buffer(3)]],
                        constant Cells& cells [[buffer(4)]],
                        constant uint& particles [[buffer(5)]],
                        uint i [[thread_position_in_grid]]) {
  if (i >= particles) return;
  const float3 mine = positions[i].xyz;
  const uint3 home = cell_of(mine, cells);
  float3 force = 0.0f;
  for (uint k = 0; k < 27; ++k) {
    // One cell back, none, or one ahead, in a box that repeats.
    uint3 cell = home + uint3(k % 3, (k / 3) % 3, k / 9);
    cell = select(cell - 1, cells.count - 1, cell == 0);
    cell = select(cell, uint3(0), cell == cells.count);
    const uint number = number_of(cell, cells);
    for (uint at = starts[number]; at < starts[number + 1]; ++at) {
      float3 apart = mine - positions[list[at]].xyz;
      apart -= cells.box * round(apart / cells.box);
      force += force_between(apart, cells.cutoff);
    }
  }
  forces[i] = float4(force, 0.0f);
}
