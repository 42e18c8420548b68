// What draws beside vertex and fragment functions: tiles, meshes, patches and encoded commands.
#include <metal_stdlib>
using namespace metal;

struct Varying {
  float4 position [[position]];
  half3 normal;
  uint material [[flat]];
};

// ---- tiles

struct Pixel {
  half4 color;
  rgba8unorm<half4> packed;
  r8unorm<half> mask;
  rg11b10f<half3> light;
  float depth;
};
struct Layers {
  rgba8unorm<half4> colors [[raster_order_group(0)]][4];
};
struct Shaded {
  Pixel pixel [[imageblock_data]];
};
fragment Shaded shade(Varying in [[stage_in]], Pixel before [[imageblock_data]]) {
  Shaded shaded;
  shaded.pixel = before;
  shaded.pixel.packed = half4(in.normal, 1) * before.packed;
  shaded.pixel.depth = in.position.z;
  return shaded;
}
kernel void resolve(imageblock<Pixel, imageblock_layout_explicit> tile,
                    threadgroup atomic_uint* bins [[threadgroup(0)]],
                    ushort2 at [[thread_position_in_threadgroup]],
                    ushort i [[thread_index_in_threadgroup]]) {
  threadgroup_imageblock Pixel* pixel = tile.data(at);
  const half3 light = pixel->light;
  pixel->color = half4(light, 1);
  if (i == 0) atomic_store_explicit(bins, 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup_imageblock);
  pixel->depth += float(tile.get_width());
}
kernel void clear(imageblock<Pixel> tile, ushort2 at [[thread_position_in_threadgroup]]) {
  Pixel pixel = tile.read(at);
  pixel.color = half4(0);
  tile.write(pixel, at);
}

// ---- meshes

struct Payload {
  uint ids[32];
  float3 centre;
};
struct Corner {
  float4 position [[position]];
  float3 normal;
};
struct Face {
  half4 color;
  bool hidden [[primitive_culled]];
};
using Triangles = metal::mesh<Corner, Face, 64, 126, metal::topology::triangle>;

[[object, max_total_threads_per_threadgroup(32), max_total_threadgroups_per_mesh_grid(32)]]
void select_meshes(object_data Payload& payload [[payload]], mesh_grid_properties grid,
                   uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {
  payload.ids[t] = g;
  if (t == 0) grid.set_threadgroups_per_grid(uint3(4, 1, 1));
}
[[mesh, max_total_threads_per_threadgroup(128)]]
void make_mesh(Triangles out, const object_data Payload& payload [[payload]],
               uint t [[thread_index_in_threadgroup]]) {
  if (t == 0) out.set_primitive_count(1);
  if (t >= Triangles::max_vertices) return;
  Corner corner;
  corner.position = float4(payload.centre, 1);
  corner.normal = float3(payload.ids[t]);
  out.set_vertex(t, corner);
  out.set_index(t, uchar(t));
  out.set_primitive(0, Face{half4(1), false});
}
struct MeshIn {
  Corner corner;
  Face face;
};
fragment half4 paint_mesh(MeshIn in [[stage_in]]) { return in.face.color * half(in.corner.normal.x); }

// ---- patches

struct ControlPoint {
  float4 position [[attribute(0)]];
};
struct Patch {
  patch_control_point<ControlPoint> points;
  float4 color [[attribute(1)]];
};
[[patch(quad, 16)]]
vertex Varying bend(Patch patch [[stage_in]], float2 at [[position_in_patch]], uint id [[patch_id]]) {
  Varying out = {};
  out.position = mix(patch.points[0].position, patch.points[patch.points.size() - 1].position, at.x);
  out.material = id;
  return out;
}
kernel void refine(device MTLQuadTessellationFactorsHalf* quads [[buffer(0)]],
                   device MTLTriangleTessellationFactorsHalf* triangles [[buffer(1)]],
                   device const half* fineness [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  quads[i].edgeTessellationFactor[0] = fineness[i];
  quads[i].insideTessellationFactor[1] = 2.0h;
  triangles[i].insideTessellationFactor = fineness[i];
}

// ---- commands

struct Scene {
  command_buffer commands;
  render_pipeline_state pipeline;
  device float4* vertices;
  device uint* indices;
};
kernel void encode(constant Scene& scene [[buffer(0)]], constant uint& count [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  if (i >= count || is_null_render_pipeline_state(scene.pipeline)) return;
  render_command command(scene.commands, i);
  command.set_render_pipeline_state(scene.pipeline);
  command.set_vertex_buffer(scene.vertices, 0);
  command.set_fragment_buffer(&count, 1);
  command.draw_primitives(primitive_type::triangle, 0, 3, 1, i);
  command.draw_indexed_primitives(primitive_type::triangle, 36, scene.indices, 1, 0, 0);
}
kernel void encode_work(constant Scene& scene [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  compute_command command(scene.commands, i);
  command.set_kernel_buffer(scene.vertices, 0);
  command.set_threadgroup_memory_length(64, 0);
  command.set_barrier();
  command.concurrent_dispatch_threadgroups(uint3(8, 1, 1), uint3(64, 1, 1));
}
