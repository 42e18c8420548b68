// Facts: library constraints. ../README.md explains the lines that begin a source.
// --- texture_of_uchar: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(texture2d<uchar> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_of_bool: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(texture2d<bool> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_of_long: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(texture3d<long> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- cube_of_char: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(texturecube<char> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- buffer_of_uchar: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(texture_buffer<uchar> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- depth_of_int: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(depth2d<int> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- depth_of_half: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(depth2d_array<half> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- depth_cube_of_uint: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(depthcube<uint> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- depth_written: refused | does not have this access
// evidence: Metal Shading Language specification: access of textures
kernel void k(depth2d<float, access::write> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- depth_read_and_written: refused | does not have this access
// evidence: Metal Shading Language specification: access of textures
kernel void k(depth2d_array<float, access::read_write> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- multisampled_sampled: refused | does not have this access
// evidence: Metal Shading Language specification: access of textures
kernel void k(texture2d_ms<float, access::sample> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- multisampled_written: refused | does not have this access
// evidence: Metal Shading Language specification: access of textures
kernel void k(texture2d_ms<float, access::write> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- depth_multisampled_sampled: refused | does not have this access
// evidence: Metal Shading Language specification: access of textures
kernel void k(depth2d_ms<float, access::sample> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- buffer_sampled: refused | does not have this access
// evidence: Metal Shading Language specification: access of textures
kernel void k(texture_buffer<float, access::sample> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_float: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(texture2d<float> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_half: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(texture2d<half, access::write> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_short: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(texture1d<short, access::read> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_ushort: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(texture3d<ushort> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_int: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(texture2d_array<int> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_uint: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(texturecube<uint> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_buffer: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(texture_buffer<uint, access::read_write> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_multisampled: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(texture2d_ms<float> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_depth: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(depth2d<float, access::read> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_depth_cube: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(depthcube<float> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- texture_depth_multisampled: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(depth2d_ms<float> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.get_width(); }

// --- gradient_of_three: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.sample(s, float2(0), gradient3d(float3(1), float3(1))).x; }

// --- gradient_of_two: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture3d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.sample(s, float3(0), gradient2d(float2(1), float2(1))).x; }

// --- gradient_of_a_cube: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texturecube<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.sample(s, float3(0), gradient3d(float3(1), float3(1))).x; }

// --- level_of_one_dimension: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture1d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.sample(s, 0.5f, level(0)).x; }

// --- component_of_depth: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(depth2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.gather(s, float2(0), int2(0), component::x).x; }

// --- level_of_a_buffer: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture_buffer<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.read(i, 0).x; }

// --- level_of_samples: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d_ms<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.read(uint2(i), 0, 0).x; }

// --- offset_of_a_cube: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texturecube<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.sample(s, float3(0), int3(0)).x; }

// --- functions_of_two: accepted
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.sample(s, float2(0), gradient2d(float2(1), float2(1))).x + t.sample(s, float2(0), level(1), int2(1)).y + t.gather(s, float2(0), int2(0), component::y).x; }

// --- functions_of_three: accepted
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture3d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.sample(s, float3(0), gradient3d(float3(1), float3(1))).x; }

// --- functions_of_cube: accepted
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texturecube<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.sample(s, float3(0), gradientcube(float3(1), float3(1))).x + t.sample(s, float3(0), bias(1), min_lod_clamp(1)).x; }

// --- functions_of_one: accepted
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture1d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.sample(s, 0.5f).x + t.read(i).x; }

// --- functions_of_depth: accepted
// evidence: Metal Shading Language specification: functions of textures
kernel void k(depth2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.sample(s, float2(0), level(0)) + t.gather(s, float2(0), int2(0)).x + t.sample_compare(s, float2(0), 0.5f); }

// --- functions_of_buffer: accepted
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture_buffer<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.read(i).x; }

// --- functions_of_samples: accepted
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d_ms<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.read(uint2(i), 0).x; }

// --- atomic_half: refused | an atomic object is an int, uint, bool, ulong or float
// evidence: Metal Shading Language specification: atomic types
kernel void k(device atomic<half>* a [[buffer(0)]]) { (void)a[0]; }

// --- atomic_short: refused | an atomic object is an int, uint, bool, ulong or float
// evidence: Metal Shading Language specification: atomic types
kernel void k(device atomic<short>* a [[buffer(0)]]) { (void)a[0]; }

// --- atomic_uchar: refused | an atomic object is an int, uint, bool, ulong or float
// evidence: Metal Shading Language specification: atomic types
kernel void k(device atomic<uchar>* a [[buffer(0)]]) { (void)a[0]; }

// --- atomic_float2: refused | an atomic object is an int, uint, bool, ulong or float
// evidence: Metal Shading Language specification: atomic types
kernel void k(device atomic<float2>* a [[buffer(0)]]) { (void)a[0]; }

// --- atomic_long: refused | an atomic object is an int, uint, bool, ulong or float
// evidence: Metal Shading Language specification: atomic types
kernel void k(device atomic<long>* a [[buffer(0)]]) { (void)a[0]; }

// --- atomic_int: accepted
// evidence: Metal Shading Language specification: atomic types
kernel void k(device atomic<int>* a [[buffer(0)]]) { atomic_store_explicit(a, int(1), memory_order_relaxed); }

// --- atomic_uint: accepted
// evidence: Metal Shading Language specification: atomic types
kernel void k(device atomic<uint>* a [[buffer(0)]]) { atomic_store_explicit(a, uint(1), memory_order_relaxed); }

// --- atomic_bool: accepted
// evidence: Metal Shading Language specification: atomic types
kernel void k(device atomic<bool>* a [[buffer(0)]]) { atomic_store_explicit(a, bool(1), memory_order_relaxed); }

// --- atomic_ulong: accepted
// evidence: Metal Shading Language specification: atomic types
kernel void k(device atomic<ulong>* a [[buffer(0)]]) { atomic_max_explicit(a, 1ul, memory_order_relaxed); }

// --- atomic_float: accepted
// evidence: Metal Shading Language specification: atomic types
kernel void k(device atomic<float>* a [[buffer(0)]]) { atomic_store_explicit(a, float(1), memory_order_relaxed); }

// --- mesh_vertices: refused | a mesh has at most
// evidence: Metal Shading Language specification: at most 256 vertices and 512 primitives
struct V {
  float4 place [[position]];
};
struct P {
  float4 color;
};
[[mesh]] void m(mesh<V, P, 257, 126, topology::triangle> out) { out.set_primitive_count(1); }

// --- mesh_primitives: refused | a mesh has at most
// evidence: Metal Shading Language specification: at most 256 vertices and 512 primitives
struct V {
  float4 place [[position]];
};
struct P {
  float4 color;
};
[[mesh]] void m(mesh<V, P, 64, 513, topology::triangle> out) { out.set_primitive_count(1); }

// --- mesh_most: accepted
// evidence: Metal Shading Language specification: at most 256 vertices and 512 primitives
struct V {
  float4 place [[position]];
};
struct P {
  float4 color;
};
[[mesh]] void m(mesh<V, P, 256, 512, topology::triangle> out) { out.set_primitive_count(1); }

// --- simdgroup_matrix_4x4: refused
// evidence: Metal Shading Language specification: simdgroup matrices are 8x8
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  simdgroup_matrix<float, 4, 4> m;
  out[i] = 1;
}

// --- simdgroup_matrix_of_int: refused
// evidence: Metal Shading Language specification: simdgroup matrices are 8x8
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  simdgroup_matrix<int, 8, 8> m;
  out[i] = 1;
}

// --- simdgroup_matrix_8x8: accepted
// evidence: Metal Shading Language specification: simdgroup matrices are 8x8
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  simdgroup_matrix<float, 8, 8> m;
  out[i] = 1;
}

// --- atomic_of_c: refused | use of undeclared identifier 'atomic_fetch_add'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device atomic_uint* a [[buffer(0)]]) { atomic_fetch_add(a, 1u); }

// --- atomic_of_metal: accepted
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_uint* a [[buffer(0)]]) { atomic_fetch_add_explicit(a, 1u, memory_order_relaxed); }

// --- texture_of_vectors: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(texture2d<float4> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- texture_of_a_struct: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
struct Colour { float a; };
kernel void k(texture2d<Colour> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- array_texture_of_uchar: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(texture2d_array<uchar> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- volume_of_long: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(texture3d<long> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- line_of_bool: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(texture1d<bool> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- named_texture_of_char: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
using Image = texture2d<char, access::read>;
kernel void k(Image t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- texture_of_a_template: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
template <typename T>
kernel void width(texture2d<T> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }
template [[host_name("width_uchar")]] kernel void width<uchar>(texture2d<uchar>, device float*);

// --- textures_in_an_array: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(array<texture2d<uchar>, 4> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t[1].get_width(); }

// --- texture_in_an_argument_buffer: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
struct Args { texture2d<long> t [[id(0)]]; };
kernel void k(constant Args& a [[buffer(0)]], device float* x [[buffer(1)]]) { x[0] = a.t.get_width(); }

// --- depth_array_of_half: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(depth2d_array<half> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- depth_cubes_of_int: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(depthcube_array<int> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- depth_samples_of_uint: refused | does not hold components of this type
// evidence: Metal Shading Language specification: types of texels
kernel void k(depth2d_ms<uint> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- sampled_texture_written: refused
// evidence: Metal Shading Language specification: access of textures
kernel void k(texture2d<float> t [[texture(0)]]) { t.write(float4(1), uint2(0)); }

// --- read_texture_written: refused
// evidence: Metal Shading Language specification: access of textures
kernel void k(texture2d<float, access::read> t [[texture(0)]]) { t.write(float4(1), uint2(0)); }

// --- written_texture_read: refused
// evidence: Metal Shading Language specification: access of textures
kernel void k(texture2d<float, access::write> t [[texture(0)]], device float4* x [[buffer(0)]]) { x[0] = t.read(uint2(0)); }

// --- read_texture_sampled: refused
// evidence: Metal Shading Language specification: access of textures
kernel void k(texture2d<float, access::read> t [[texture(0)]], sampler s [[sampler(0)]], device float4* x [[buffer(0)]]) { x[0] = t.sample(s, float2(0)); }

// --- written_volume_sampled: refused
// evidence: Metal Shading Language specification: access of textures
kernel void k(texture3d<half, access::read_write> t [[texture(0)]], sampler s [[sampler(0)]], device half4* x [[buffer(0)]]) { x[0] = t.sample(s, float3(0)); }

// --- samples_array_written: refused | does not have this access
// evidence: Metal Shading Language specification: access of textures
kernel void k(texture2d_ms_array<float, access::write> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- depth_array_written: refused | does not have this access
// evidence: Metal Shading Language specification: access of textures
kernel void k(depth2d_array<float, access::write> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- access_of_another_name: refused | no member named 'readonly' in 'metal::access'
// evidence: Metal Shading Language specification: access of textures
kernel void k(texture2d<float, access::readonly> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- gather_of_a_volume: refused | no member named 'gather'
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture3d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float4* x [[buffer(0)]]) { x[0] = t.gather(s, float3(0)); }

// --- comparison_of_a_colour_texture: refused | no member named 'sample_compare'
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* x [[buffer(0)]]) { x[0] = t.sample_compare(s, float2(0), 0.5f); }

// --- depth_of_two_dimensions: refused | no member named 'get_depth'
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_depth(); }

// --- height_of_a_buffer: refused | no member named 'get_height'
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture_buffer<float> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_height(); }

// --- array_size_of_one_texture: refused | no member named 'get_array_size'
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texturecube<float> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.get_array_size(); }

// --- coordinate_of_one_float: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture3d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float4* x [[buffer(0)]]) { x[0] = t.sample(s, float2(0)); }

// --- coordinate_of_three_floats: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float4* x [[buffer(0)]]) { x[0] = t.sample(s, float3(0)); }

// --- coordinate_of_ints: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float4* x [[buffer(0)]], int2 at) { x[0] = t.sample(s, int2(0)); }

// --- read_at_floats: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float, access::read> t [[texture(0)]], device float4* x [[buffer(0)]]) { x[0] = t.read(float2(0)); }

// --- read_at_ints: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float, access::read> t [[texture(0)]], device float4* x [[buffer(0)]]) { x[0] = t.read(int2(0)); }

// --- write_of_other_components: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float, access::write> t [[texture(0)]]) { t.write(int4(1), uint2(0)); }

// --- write_of_three_components: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float, access::write> t [[texture(0)]]) { t.write(float3(1), uint2(0)); }

// --- write_to_no_place: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float, access::write> t [[texture(0)]]) { t.write(float4(1)); }

// --- array_without_an_index: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d_array<float> t [[texture(0)]], sampler s [[sampler(0)]], device float4* x [[buffer(0)]]) { x[0] = t.sample(s, float2(0)); }

// --- cubes_without_an_index: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texturecube_array<half> t [[texture(0)]], sampler s [[sampler(0)]], device half4* x [[buffer(0)]]) { x[0] = t.sample(s, float3(0)); }

// --- sample_without_a_sampler: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float> t [[texture(0)]], device float4* x [[buffer(0)]]) { x[0] = t.sample(float2(0)); }

// --- compare_without_a_value: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(depth2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* x [[buffer(0)]]) { x[0] = t.sample_compare(s, float2(0)); }

// --- colour_as_a_scalar: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.read(uint2(0)); }

// --- colour_of_another_type: refused
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<half> t [[texture(0)]], device float4* x [[buffer(0)]]) { x[0] = t.read(uint2(0)); }

// --- sampler_with_another_filter: refused | named 'cubic' in 'metal::filter'
// evidence: Metal Shading Language specification: functions of textures
constexpr sampler s(filter::cubic);
kernel void k(texture2d<float> t [[texture(0)]], device float4* x [[buffer(0)]]) { x[0] = t.sample(s, float2(0)); }

// --- sampler_with_another_address: refused | named 'wrap' in 'metal::address'
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float> t [[texture(0)]], device float4* x [[buffer(0)]]) {
  constexpr sampler s(address::wrap);
  x[0] = t.sample(s, float2(0));
}

// --- atomic_field: refused | an atomic object is an int, uint, bool, ulong or float
// evidence: Metal Shading Language specification: atomic types
struct Counter { atomic<short> n; };
kernel void k(device Counter* x [[buffer(0)]]) { x[0].n; }

// --- atomic_array_in_threadgroup: refused | an atomic object is an int, uint, bool, ulong or float
// evidence: Metal Shading Language specification: atomic types
kernel void k(device float* x [[buffer(0)]]) {
  threadgroup atomic<half> t[4];
  x[0] = sizeof(t);
}

// --- atomic_of_a_template: refused | an atomic object is an int, uint, bool, ulong or float
// evidence: Metal Shading Language specification: atomic types
template <typename T>
kernel void count(device atomic<T>* x [[buffer(0)]]) { atomic_fetch_add_explicit(x, T(1), memory_order_relaxed); }
template [[host_name("count_char")]] kernel void count<char>(device atomic<char>*);

// --- atomic_of_a_struct: refused | an atomic object is an int, uint, bool, ulong or float
// evidence: Metal Shading Language specification: atomic types
struct Pair {
  uint a;
  uint b;
};
kernel void k(device atomic<Pair>* x [[buffer(0)]]) { x[0]; }

// --- and_of_floats: refused
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_float* x [[buffer(0)]]) { atomic_fetch_and_explicit(x, 1.0f, memory_order_relaxed); }

// --- xor_of_bools: refused
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_bool* x [[buffer(0)]]) { atomic_fetch_sub_explicit(x, true, memory_order_relaxed); }

// --- min_of_floats: refused
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic<float>* x [[buffer(0)]]) { atomic_fetch_min_explicit(x, 1.0f, memory_order_relaxed); }

// --- add_to_a_plain_int: refused
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device int* x [[buffer(0)]]) { atomic_fetch_add_explicit(&x[0], 1, memory_order_relaxed); }

// --- add_without_an_order: refused
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_int* x [[buffer(0)]]) { atomic_fetch_add_explicit(x, 1); }

// --- add_to_a_value: refused
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_int* x [[buffer(0)]]) { atomic_fetch_add_explicit(x[0], 1, memory_order_relaxed); }

// --- acquire_before: refused at metal4.0
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_int* x [[buffer(0)]]) { atomic_store_explicit(x, 1, memory_order_release); }

// --- atomic_read_as_an_int: refused
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_int* x [[buffer(0)]], device int* y [[buffer(1)]]) { y[0] = x[0]; }

// --- atomic_assigned: refused
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_uint* x [[buffer(0)]]) { x[0] = 1; }

// --- atomic_added: refused
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_uint* x [[buffer(0)]]) { x[0] += 1; }

// --- atomic_incremented: refused
// evidence: Metal Shading Language specification: atomic functions
kernel void k(threadgroup atomic_int* x [[threadgroup(0)]]) { x[0]++; }

// --- expected_value_in_device: refused
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_int* x [[buffer(0)]], device int* y [[buffer(1)]]) {
  atomic_compare_exchange_weak_explicit(x, y, 2, memory_order_relaxed, memory_order_relaxed);
}

// --- and_of_a_float: refused
// evidence: Metal Shading Language specification: functions of simdgroups and quadgroups
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_and(x[i]);
}

// --- or_of_a_half: refused
// evidence: Metal Shading Language specification: functions of simdgroups and quadgroups
kernel void k(device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_or(x[i]);
}

// --- quad_xor_of_a_float: refused
// evidence: Metal Shading Language specification: functions of simdgroups and quadgroups
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = quad_xor(x[i]);
}

// --- sum_of_two: refused
// evidence: Metal Shading Language specification: functions of simdgroups and quadgroups
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_sum(x[i], x[i + 1]);
}

// --- shuffle_of_one: refused
// evidence: Metal Shading Language specification: functions of simdgroups and quadgroups
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_shuffle_xor(x[i]);
}

// --- shuffle_of_a_struct: refused
// evidence: Metal Shading Language specification: functions of simdgroups and quadgroups
struct Pair {
  float a;
  float b;
};
kernel void k(device Pair* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_shuffle_down(Pair(x[i]), ushort(1));
}

// --- ballot_of_nothing: refused
// evidence: Metal Shading Language specification: functions of simdgroups and quadgroups
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = uint(ulong(simd_vote::vote_t(simd_ballot())));
}

// --- vote_as_a_number: refused
// evidence: Metal Shading Language specification: functions of simdgroups and quadgroups
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint n = simd_active_threads_mask();
  x[i] = n;
}

// --- sum_of_a_matrix: refused
// evidence: Metal Shading Language specification: functions of simdgroups and quadgroups
kernel void k(device float2x2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_sum(x[i]);
}

// --- dot_of_ints: refused | no matching function for call to 'dot'
// evidence: Metal Shading Language specification: functions of vectors
kernel void k(device int3* x [[buffer(0)]], device int* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = dot(x[i], x[i]);
}

// --- cross_of_two: refused | no matching function for call to 'cross'
// evidence: Metal Shading Language specification: functions of vectors
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = cross(x[i], x[i]).xy;
}

// --- cross_of_four: refused | no matching function for call to 'cross'
// evidence: Metal Shading Language specification: functions of vectors
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].xyz = cross(x[i], x[i + 1]).xyz;
}

// --- length_of_ints: refused
// evidence: Metal Shading Language specification: functions of vectors
kernel void k(device int2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = int(length(x[i]));
}

// --- distance_of_two_lengths: refused
// evidence: Metal Shading Language specification: functions of vectors
kernel void k(device float3* x [[buffer(0)]], device float2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = distance(x[i], y[i]);
}

// --- all_of_floats: refused
// evidence: Metal Shading Language specification: functions of vectors
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = all(x[i]) ? 1 : 2;
}

// --- mix_of_two_types: refused
// evidence: Metal Shading Language specification: functions of vectors
kernel void k(device float3* x [[buffer(0)]], device half3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = mix(x[i], y[i], 0.5f);
}

// --- max_of_two_lengths: refused
// evidence: Metal Shading Language specification: functions of vectors
kernel void k(device float3* x [[buffer(0)]], device float4* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = max(x[i], y[i]);
}

// --- max_of_float_and_int: refused | call to 'max' is ambiguous
// evidence: Metal Shading Language specification: overloads of one type each
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = max(x[i], 0);
}

// --- min_of_two_signs: refused | call to 'min' is ambiguous
// evidence: Metal Shading Language specification: overloads of one type each
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = min(x[i], i);
}

// --- clamp_with_ints: refused | call to 'clamp' is ambiguous
// evidence: Metal Shading Language specification: overloads of one type each
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = clamp(x[i], 0, 1);
}

// --- max_of_half_and_float: refused | call to 'max' is ambiguous
// evidence: Metal Shading Language specification: overloads of one type each
kernel void k(device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = max(x[i], 0.0f);
}

// --- pow_of_ints: refused | call to 'pow' is ambiguous
// evidence: Metal Shading Language specification: overloads of one type each
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = pow(x[i], 2);
}

// --- sqrt_of_a_uint: refused | call to 'sqrt' is ambiguous
// evidence: Metal Shading Language specification: overloads of one type each
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sqrt(i);
}

// --- fmod_of_ints: refused | call to 'fmod' is ambiguous
// evidence: Metal Shading Language specification: overloads of one type each
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = fmod(x[i], 2);
}

// --- min_of_size_and_int: refused | call to 'min' is ambiguous
// evidence: Metal Shading Language specification: overloads of one type each
kernel void k(device ulong* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = min(x[i], 4u);
}

// --- barrier_of_a_number: refused
// evidence: Metal Shading Language specification: barriers
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup_barrier(1);
  x[i] = 1;
}

// --- barrier_of_another_name: refused | no member named 'mem_local' in 'metal::mem_flags'
// evidence: Metal Shading Language specification: barriers
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup_barrier(mem_flags::mem_local);
  x[i] = 1;
}

// --- simdgroup_barrier_of_nothing: refused
// evidence: Metal Shading Language specification: barriers
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  simdgroup_barrier();
  x[i] = 1;
}

// --- textures_of_each_kind: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(texture1d<float> a [[texture(0)]], texture1d_array<half> b [[texture(1)]], texture2d_array<int> c [[texture(2)]], texture3d<uint> d [[texture(3)]], texturecube<short> e [[texture(4)]], texturecube_array<ushort> f [[texture(5)]], device float* x [[buffer(0)]]) {
  x[0] = a.get_width() + b.get_array_size() + c.get_height() + d.get_depth() + e.get_width() + f.get_array_size();
}

// --- depth_textures_of_each_kind: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(depth2d<float> a [[texture(0)]], depth2d_array<float, access::read> b [[texture(1)]], depthcube<float> c [[texture(2)]], depth2d_ms<float, access::read> d [[texture(3)]], device float* x [[buffer(0)]]) {
  x[0] = a.read(uint2(0)) + b.read(uint2(0), 1) + c.get_width() + d.read(uint2(0), 2);
}

// --- access_of_each_kind: accepted
// evidence: Metal Shading Language specification: types and access of textures
kernel void k(texture2d<float, access::read> a [[texture(0)]], texture2d<float, access::write> b [[texture(1)]], texture2d<float, access::read_write> c [[texture(2)]], texture_buffer<uint, access::read_write> d [[texture(3)]], uint2 i [[thread_position_in_grid]]) {
  b.write(a.read(i) + c.read(i), i);
  c.write(float4(1), i);
  d.write(d.read(i.x) + 1, i.x);
}

// --- texture_in_a_template: accepted
// evidence: Metal Shading Language specification: types and access of textures
template <typename T, access how>
kernel void fill(texture2d<T, how> t [[texture(0)]], uint2 i [[thread_position_in_grid]]) { t.write(vec<T, 4>(1), i); }
template [[host_name("fill_half")]] kernel void fill<half, access::write>(texture2d<half, access::write>, uint2);

// --- options_of_sample: accepted
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<float> t [[texture(0)]], texture2d_array<float> a [[texture(1)]], sampler s [[sampler(0)]], device float4* x [[buffer(0)]]) {
  x[0] = t.sample(s, float2(0), level(1), int2(1, -1)) + t.sample(s, float2(0), bias(1)) + t.sample(s, float2(0), gradient2d(float2(0), float2(1)));
  x[1] = a.sample(s, float2(0), 2, level(0)) + t.gather(s, float2(0), int2(0), component::y);
}

// --- constant_samplers: accepted
// evidence: Metal Shading Language specification: functions of textures
constexpr sampler edge(coord::pixel, address::clamp_to_edge, filter::nearest);
kernel void k(texture2d<half> t [[texture(0)]], device half4* x [[buffer(0)]]) {
  constexpr sampler s(mag_filter::linear, min_filter::nearest, mip_filter::none, s_address::repeat, t_address::mirrored_repeat, compare_func::less);
  x[0] = t.sample(edge, float2(0)) + t.sample(s, float2(1));
}

// --- reads_at_shorts: accepted
// evidence: Metal Shading Language specification: functions of textures
kernel void k(texture2d<half, access::read> t [[texture(0)]], device half4* x [[buffer(0)]], ushort2 i [[thread_position_in_grid]]) { x[i.x] = t.read(i) + t.read(uint2(i), 0); }

// --- atomics_of_each_kind: accepted
// evidence: Metal Shading Language specification: atomic functions
struct Counters {
  atomic_int a;
  atomic<uint> b;
  atomic_float c;
  atomic_bool d;
};
kernel void k(device Counters& x [[buffer(0)]], threadgroup atomic_uint* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&x.a, int(i), memory_order_relaxed);
  atomic_fetch_max_explicit(&x.b, i, memory_order_relaxed);
  atomic_fetch_sub_explicit(&x.c, 1.0f, memory_order_relaxed);
  atomic_store_explicit(&x.d, true, memory_order_relaxed);
  atomic_fetch_or_explicit(t, atomic_exchange_explicit(t + 1, 3u, memory_order_relaxed), memory_order_relaxed);
}

// --- exchange_with_a_local: accepted
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint old = atomic_load_explicit(x, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(x, &old, old + i, memory_order_relaxed, memory_order_relaxed)) {
  }
}

// --- order_of_release: accepted at metal4.1
// evidence: Metal Shading Language specification: atomic functions
kernel void k(device atomic_int* x [[buffer(0)]]) { atomic_store_explicit(x, 1, memory_order_release, mem_flags::mem_device, thread_scope_device); }

// --- reductions_of_each_kind: accepted
// evidence: Metal Shading Language specification: functions of simdgroups and quadgroups
kernel void k(device float4* x [[buffer(0)]], device uint2* y [[buffer(1)]], device half* z [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_sum(x[i]) + simd_shuffle_xor(x[i], 1) + quad_broadcast(x[i], 2);
  y[i] = simd_or(y[i]) & simd_prefix_exclusive_sum(y[i]) ^ quad_min(y[i]);
  z[i] = simd_max(z[i]) + simd_broadcast_first(z[i]) + quad_shuffle_up(z[i], 1);
}

// --- votes: accepted
// evidence: Metal Shading Language specification: functions of simdgroups and quadgroups
kernel void k(device ulong* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const simd_vote vote = simd_ballot(i > 3);
  x[i] = simd_vote::vote_t(vote) + vote.all() + simd_all(i > 2) + simd_is_first();
}

// --- arguments_of_one_type: accepted
// evidence: Metal Shading Language specification: overloads of one type each
kernel void k(device float* x [[buffer(0)]], device half* y [[buffer(1)]], device int* z [[buffer(2)]], device ulong* w [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  x[i] = max(x[i], 0.0f) + clamp(x[i], 0.0f, 1.0f) + pow(float(z[i]), 2.0f) + sqrt(float(i));
  y[i] = max(y[i], 0.0h) + half(max(float(y[i]), 0.0f));
  z[i] = min(z[i], 4) + clamp(z[i], 0, 9) + abs(z[i]);
  w[i] = min(w[i], ulong(4));
}

// --- scalars_beside_vectors: accepted
// evidence: Metal Shading Language specification: overloads of one type each
kernel void k(device float3* x [[buffer(0)]], device int2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = max(x[i], 0.0f) + clamp(x[i], 0.0f, 1.0f) + mix(x[i], x[i + 1], 0.5f) + step(0.5f, x[i]);
  y[i] = min(y[i], 4) + clamp(y[i], 0, 9);
}

// --- barriers_of_each_kind: accepted
// evidence: Metal Shading Language specification: barriers
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
  simdgroup_barrier(mem_flags::mem_none);
  threadgroup_barrier(mem_flags::mem_texture);
  x[i] = 1;
}

// --- all_of_integers: refused | no implicit conversion from 'int4' to 'bool4'
// evidence: Metal Shading Language specification: all and any take booleans
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (all(n[i])) x[i] = 1;
}

// --- any_of_integers: refused | no implicit conversion from 'int4' to 'bool4'
// evidence: Metal Shading Language specification: all and any take booleans
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (any(n[i])) x[i] = 1;
}

// --- any_of_two_integers_of_a_vector: refused | no implicit conversion from 'int2' to 'bool2'
// evidence: Metal Shading Language specification: all and any take booleans
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  x[i] = any(n[i].xy) ? 1 : 2;
}

// --- select_by_integers: refused | no implicit conversion from 'int4' to 'bool4'
// evidence: Metal Shading Language specification: select: the last is a vector of bools
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  v[i] = select(v[i], v[i + 1], n[i]);
}

// --- any_and_all_of_answers: accepted
// evidence: Metal Shading Language specification: all and any take booleans
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (any(n[i] != 0) && all(bool4(n[i]))) x[i] = all(isnan(v[i])) || any(!n[i]);
}

// --- atomic_ulong_load: refused | no matching function for call to 'atomic_
// evidence: gogpu/naga#79, #82; Metal Shading Language specification: atomic_ulong has a minimum and a maximum only
kernel void k(device atomic_ulong* a [[buffer(0)]], device float* x [[buffer(1)]]) { ulong v = atomic_load_explicit(a, memory_order_relaxed); x[0] = v; }

// --- atomic_ulong_store: refused | no matching function for call to 'atomic_
// evidence: gogpu/naga#79, #82; Metal Shading Language specification: atomic_ulong has a minimum and a maximum only
kernel void k(device atomic_ulong* a [[buffer(0)]], device float* x [[buffer(1)]]) { atomic_store_explicit(a, 1ul, memory_order_relaxed); }

// --- atomic_ulong_exchange: refused | no matching function for call to 'atomic_
// evidence: gogpu/naga#79, #82; Metal Shading Language specification: atomic_ulong has a minimum and a maximum only
kernel void k(device atomic_ulong* a [[buffer(0)]], device float* x [[buffer(1)]]) { x[0] = atomic_exchange_explicit(a, 1ul, memory_order_relaxed); }

// --- atomic_object_of_one_thread: refused | no matching function for call to 'atomic_fetch_add_explicit'
// evidence: Metal Shading Language specification: atomic functions take objects in device and threadgroup memory
kernel void k(device float* x [[buffer(0)]]) {
  atomic_int own;
  x[0] = atomic_fetch_add_explicit(&own, 1, memory_order_relaxed);
}

// --- ordered_atomic_sum: refused | memory_order_relaxed
// evidence: a public report of mapping atomic functions to memory_order_seq_cst, which Apple's compiler rejected; Metal Shading Language specification: fences
kernel void k(device atomic_uint* a [[buffer(0)]]) { atomic_fetch_add_explicit(a, 1u, memory_order_seq_cst); }

// --- ordered_atomic_load: refused | memory_order_relaxed
// evidence: a public report of mapping atomic functions to memory_order_seq_cst, which Apple's compiler rejected; Metal Shading Language specification: fences
kernel void k(device atomic_uint* a [[buffer(0)]], device uint* x [[buffer(1)]]) { x[0] = atomic_load_explicit(a, memory_order_seq_cst); }

// --- uniform_struct: refused | a uniform holds a number
// evidence: Metal Shading Language specification: uniform types
struct P { int a; };
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { uniform<P> p = P{1}; x[i] = P(p).a; }

// --- uniform_vector: accepted
// evidence: Metal Shading Language specification: uniform types
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { uniform<float4> p = float4(1); x[i] = p; }

// --- rgba8unorm_of_float2: refused | rgba8unorm does not hold values of this type
// evidence: Metal Shading Language specification: pixel formats and their types
kernel void k(device rgba8unorm<float2>* x [[buffer(0)]]) { x[0] = float2(1); }

// --- rgba8unorm_of_half4: accepted
// evidence: Metal Shading Language specification: pixel formats and their types
kernel void k(device rgba8unorm<half4>* x [[buffer(0)]]) { x[0] = half4(1); }

// --- r8unorm_of_float4: refused | r8unorm does not hold values of this type
// evidence: Metal Shading Language specification: pixel formats and their types
kernel void k(device r8unorm<float4>* x [[buffer(0)]]) { x[0] = float4(1); }

// --- r8unorm_of_float: accepted
// evidence: Metal Shading Language specification: pixel formats and their types
kernel void k(device r8unorm<float>* x [[buffer(0)]]) { x[0] = float(1); }

// --- rg16snorm_of_half2: refused | rg16snorm does not hold values of this type
// evidence: Metal Shading Language specification: pixel formats and their types
kernel void k(device rg16snorm<half2>* x [[buffer(0)]]) { x[0] = half2(1); }

// --- rg16snorm_of_float2: accepted
// evidence: Metal Shading Language specification: pixel formats and their types
kernel void k(device rg16snorm<float2>* x [[buffer(0)]]) { x[0] = float2(1); }

// --- rgb9e5_of_float4: refused | rgb9e5 does not hold values of this type
// evidence: Metal Shading Language specification: pixel formats and their types
kernel void k(device rgb9e5<float4>* x [[buffer(0)]]) { x[0] = float4(1); }

// --- rgb9e5_of_half3: accepted
// evidence: Metal Shading Language specification: pixel formats and their types
kernel void k(device rgb9e5<half3>* x [[buffer(0)]]) { x[0] = half3(1); }

// --- rgb10a2_of_uint4: refused | rgb10a2 does not hold values of this type
// evidence: Metal Shading Language specification: pixel formats and their types
kernel void k(device rgb10a2<uint4>* x [[buffer(0)]]) { x[0] = uint4(1); }

// --- rgb10a2_of_float4: accepted
// evidence: Metal Shading Language specification: pixel formats and their types
kernel void k(device rgb10a2<float4>* x [[buffer(0)]]) { x[0] = float4(1); }
