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
