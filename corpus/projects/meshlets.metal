// In the manner of shader translators: an array type with an operator for each address space, the payload's among them.
#include <metal_stdlib>
using namespace metal;

template <typename T, size_t N>
struct spaced_array {
  T elements[N];
  thread T& operator[](size_t i) thread { return elements[i]; }
  const thread T& operator[](size_t i) const thread { return elements[i]; }
  device T& operator[](size_t i) device { return elements[i]; }
  const device T& operator[](size_t i) const device { return elements[i]; }
  const constant T& operator[](size_t i) const constant { return elements[i]; }
  threadgroup T& operator[](size_t i) threadgroup { return elements[i]; }
  const threadgroup T& operator[](size_t i) const threadgroup { return elements[i]; }
  object_data T& operator[](size_t i) object_data { return elements[i]; }
  const object_data T& operator[](size_t i) const object_data { return elements[i]; }
};
struct Tasks {
  spaced_array<uint, 32> meshlets;
  uint count;
};

[[object]] void select_meshlets(object_data Tasks& tasks [[payload]], mesh_grid_properties grid,
                                constant spaced_array<float, 32>& distances [[buffer(0)]],
                                uint t [[thread_index_in_threadgroup]]) {
  threadgroup spaced_array<uint, 32> kept;
  kept[t] = distances[t] < 100 ? 1 : 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint before = 0;
  for (uint i = 0; i < t; ++i) before += kept[i];
  if (kept[t]) tasks.meshlets[before] = t;
  if (t == 31) {
    tasks.count = before + kept[t];
    grid.set_threadgroups_per_grid(uint3(before + kept[t], 1, 1));
  }
}

kernel void gather(device const spaced_array<float, 4>* rows [[buffer(0)]], device spaced_array<float, 4>* sums [[buffer(1)]],
                   constant uint& count [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  spaced_array<float, 4> row = rows[i];
  for (size_t k = 1; k < 4; ++k) row[k] += row[k - 1];
  sums[i] = row;
}
