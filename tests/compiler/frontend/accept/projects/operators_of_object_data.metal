// object_data and threadgroup memory are different spaces.
#include <metal_stdlib>
using namespace metal;
struct Payload { uint seen[32]; };
template <typename T, int N> struct Row {
  T values[N];
  thread T& operator[](uint i) thread { return values[i]; }
  threadgroup T& operator[](uint i) threadgroup { return values[i]; }
  object_data T& operator[](uint i) object_data { return values[i]; }
  device T& operator[](uint i) device { return values[i]; }
  constant T& operator[](uint i) constant { return values[i]; }
};
uint least(const threadgroup Row<uint, 4>& row) { return row.values[0]; }
uint least(const object_data Row<uint, 4>& row) { return row.values[1]; }
struct Own { uint n; uint get() const object_data { return n; } uint get() const threadgroup { return n + 1; } };
[[object]] void cull(object_data Payload& payload [[payload]], mesh_grid_properties grid, uint i [[thread_index_in_threadgroup]]) {
  threadgroup Row<uint, 4> row;
  row[i & 3] = i;
  payload.seen[i] = least(row);
  if (i == 0) grid.set_threadgroups_per_grid(uint3(1));
}
[[object]] void emit(object_data Row<uint, 4>& payload [[payload]], mesh_grid_properties grid) {
  payload[0] = least(payload);
  grid.set_threadgroups_per_grid(uint3(payload[0], 1, 1));
}
[[object]] void own(object_data Own& payload [[payload]], mesh_grid_properties grid) { grid.set_threadgroups_per_grid(uint3(payload.get())); }
