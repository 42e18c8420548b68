// Facts: attributes. ../README.md explains the lines that begin a source.
// --- host_name_of_a_variable: refused | 'host_name' attribute only applies to functions
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[host_name("x")]] constant int n = 1;

// --- host_name_of_a_kernel: accepted
// evidence: Metal Shading Language specification: attributes of functions
[[host_name("x")]] kernel void k(device float* out [[buffer(0)]]) { out[0] = 1; }

// --- max_total_threads_per_threadgroup_of_a_variable: refused | 'max_total_threads_per_threadgroup' attribute only applies to functions
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[max_total_threads_per_threadgroup(64)]] constant int n = 1;

// --- max_total_threads_per_threadgroup_of_a_kernel: accepted
// evidence: Metal Shading Language specification: attributes of functions
[[max_total_threads_per_threadgroup(64)]] kernel void k(device float* out [[buffer(0)]]) { out[0] = 1; }

// --- buffer_of_a_local_variable: refused | 'buffer' attribute only applies to parameters and global builtin variables
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]]) {
  uint x [[buffer(3)]] = 1;
  out[0] = x;
}

// --- texture_of_a_local_variable: refused | 'texture' attribute only applies to parameters and global builtin variables
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]]) {
  uint x [[texture(3)]] = 1;
  out[0] = x;
}

// --- sampler_of_a_local_variable: refused | 'sampler' attribute only applies to parameters and global builtin variables
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]]) {
  uint x [[sampler(3)]] = 1;
  out[0] = x;
}

// --- threadgroup_of_a_local_variable: refused | 'threadgroup' attribute only applies to parameters and global builtin variables
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]]) {
  uint x [[threadgroup(0)]] = 1;
  out[0] = x;
}

// --- thread_position_in_grid_of_a_local_variable: refused | 'thread_position_in_grid' attribute only applies to parameters and global builtin variables
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]]) {
  uint x [[thread_position_in_grid]] = 1;
  out[0] = x;
}

// --- stage_in_of_a_local_variable: refused | 'stage_in' attribute only applies to parameters and global builtin variables
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]]) {
  uint x [[stage_in]] = 1;
  out[0] = x;
}

// --- vertex_id_of_a_kernel: refused | invalid 'vertex_id' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint c [[vertex_id]]) { out[0] = 1; }

// --- instance_id_of_a_kernel: refused | invalid 'instance_id' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint c [[instance_id]]) { out[0] = 1; }

// --- base_vertex_of_a_kernel: refused | invalid 'base_vertex' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint c [[base_vertex]]) { out[0] = 1; }

// --- base_instance_of_a_kernel: refused | invalid 'base_instance' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint c [[base_instance]]) { out[0] = 1; }

// --- front_facing_of_a_kernel: refused | invalid 'front_facing' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], bool c [[front_facing]]) { out[0] = 1; }

// --- point_coord_of_a_kernel: refused | invalid 'point_coord' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], float2 c [[point_coord]]) { out[0] = 1; }

// --- sample_id_of_a_kernel: refused | invalid 'sample_id' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint c [[sample_id]]) { out[0] = 1; }

// --- barycentric_coord_of_a_kernel: refused | invalid 'barycentric_coord' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], float3 c [[barycentric_coord]]) { out[0] = 1; }

// --- primitive_id_of_a_kernel: refused | invalid 'primitive_id' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint c [[primitive_id]]) { out[0] = 1; }

// --- position_of_a_kernel: refused | invalid 'position' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], float4 c [[position]]) { out[0] = 1; }

// --- amplification_id_of_a_kernel: refused | invalid 'amplification_id' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint c [[amplification_id]]) { out[0] = 1; }

// --- patch_id_of_a_kernel: refused | invalid 'patch_id' attribute for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint c [[patch_id]]) { out[0] = 1; }

// --- vertex_id_of_a_vertex_function: accepted
// evidence: Metal Shading Language specification: inputs of vertex functions
vertex float4 f(uint c [[vertex_id]]) { return float4(c); }

// --- vertex_id_of_a_fragment_function: refused | invalid 'vertex_id' attribute for input declaration in a fragment function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
fragment float4 f(uint c [[vertex_id]]) { return float4(c); }

// --- instance_id_of_a_vertex_function: accepted
// evidence: Metal Shading Language specification: inputs of vertex functions
vertex float4 f(ushort c [[instance_id]]) { return float4(c); }

// --- instance_id_of_a_fragment_function: refused | invalid 'instance_id' attribute for input declaration in a fragment function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
fragment float4 f(ushort c [[instance_id]]) { return float4(c); }

// --- base_vertex_of_a_vertex_function: accepted
// evidence: Metal Shading Language specification: inputs of vertex functions
vertex float4 f(uint c [[base_vertex]]) { return float4(c); }

// --- base_vertex_of_a_fragment_function: refused | invalid 'base_vertex' attribute for input declaration in a fragment function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
fragment float4 f(uint c [[base_vertex]]) { return float4(c); }

// --- base_instance_of_a_vertex_function: accepted
// evidence: Metal Shading Language specification: inputs of vertex functions
vertex float4 f(uint c [[base_instance]]) { return float4(c); }

// --- base_instance_of_a_fragment_function: refused | invalid 'base_instance' attribute for input declaration in a fragment function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
fragment float4 f(uint c [[base_instance]]) { return float4(c); }

// --- amplification_id_of_a_vertex_function: accepted
// evidence: Metal Shading Language specification: inputs of vertex functions
vertex float4 f(uint c [[amplification_id]]) { return float4(c); }

// --- amplification_id_of_a_fragment_function: refused | invalid 'amplification_id' attribute for input declaration in a fragment function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
fragment float4 f(uint c [[amplification_id]]) { return float4(c); }

// --- front_facing_of_a_fragment_function: accepted
// evidence: Metal Shading Language specification: inputs of fragment functions
fragment float4 f(bool c [[front_facing]]) { return float4(c); }

// --- front_facing_of_a_vertex_function: refused | invalid 'front_facing' attribute for input declaration in a vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 f(bool c [[front_facing]]) { return float4(c); }

// --- point_coord_of_a_fragment_function: accepted
// evidence: Metal Shading Language specification: inputs of fragment functions
fragment float4 f(float2 c [[point_coord]]) { return float4(c.x); }

// --- point_coord_of_a_vertex_function: refused | invalid 'point_coord' attribute for input declaration in a vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 f(float2 c [[point_coord]]) { return float4(c.x); }

// --- sample_id_of_a_fragment_function: accepted
// evidence: Metal Shading Language specification: inputs of fragment functions
fragment float4 f(uint c [[sample_id]]) { return float4(c); }

// --- sample_id_of_a_vertex_function: refused | invalid 'sample_id' attribute for input declaration in a vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 f(uint c [[sample_id]]) { return float4(c); }

// --- barycentric_coord_of_a_fragment_function: accepted
// evidence: Metal Shading Language specification: inputs of fragment functions
fragment float4 f(float3 c [[barycentric_coord]]) { return float4(c.x); }

// --- barycentric_coord_of_a_vertex_function: refused | invalid 'barycentric_coord' attribute for input declaration in a vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 f(float3 c [[barycentric_coord]]) { return float4(c.x); }

// --- primitive_id_of_a_fragment_function: accepted
// evidence: Metal Shading Language specification: inputs of fragment functions
fragment float4 f(uint c [[primitive_id]]) { return float4(c); }

// --- primitive_id_of_a_vertex_function: refused | invalid 'primitive_id' attribute for input declaration in a vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 f(uint c [[primitive_id]]) { return float4(c); }

// --- position_of_a_fragment_function: accepted
// evidence: Metal Shading Language specification: inputs of fragment functions
fragment float4 f(float4 c [[position]]) { return float4(c.x); }

// --- thread_position_in_grid_of_a_kernel: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* out [[buffer(0)]], uint c [[thread_position_in_grid]]) { out[0] = 1; }

// --- thread_position_in_grid_of_a_vertex_function: refused | invalid 'thread_position_in_grid' attribute for input declaration in a vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 f(uint c [[thread_position_in_grid]]) { return float4(c); }

// --- threads_per_threadgroup_of_a_kernel: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* out [[buffer(0)]], uint c [[threads_per_threadgroup]]) { out[0] = 1; }

// --- threads_per_threadgroup_of_a_vertex_function: refused | invalid 'threads_per_threadgroup' attribute for input declaration in a vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 f(uint c [[threads_per_threadgroup]]) { return float4(c); }

// --- thread_index_in_threadgroup_of_a_kernel: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* out [[buffer(0)]], uint c [[thread_index_in_threadgroup]]) { out[0] = 1; }

// --- thread_index_in_threadgroup_of_a_vertex_function: refused | invalid 'thread_index_in_threadgroup' attribute for input declaration in a vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 f(uint c [[thread_index_in_threadgroup]]) { return float4(c); }

// --- threadgroup_position_in_grid_of_a_kernel: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* out [[buffer(0)]], uint c [[threadgroup_position_in_grid]]) { out[0] = 1; }

// --- threadgroup_position_in_grid_of_a_vertex_function: refused | invalid 'threadgroup_position_in_grid' attribute for input declaration in a vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 f(uint c [[threadgroup_position_in_grid]]) { return float4(c); }

// --- thread_position_in_grid_of_int: refused | type 'int' is not valid for attribute 'thread_position_in_grid'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], int c [[thread_position_in_grid]]) { out[0] = 1; }

// --- thread_position_in_grid_of_float: refused | type 'float' is not valid for attribute 'thread_position_in_grid'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], float c [[thread_position_in_grid]]) { out[0] = 1; }

// --- thread_position_in_grid_of_uint4: refused | type 'uint4' is not valid for attribute 'thread_position_in_grid'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint4 c [[thread_position_in_grid]]) { out[0] = 1; }

// --- thread_position_in_grid_of_uchar: refused | type 'uchar' is not valid for attribute 'thread_position_in_grid'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uchar c [[thread_position_in_grid]]) { out[0] = 1; }

// --- thread_position_in_grid_of_int2: refused | type 'int2' is not valid for attribute 'thread_position_in_grid'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], int2 c [[thread_position_in_grid]]) { out[0] = 1; }

// --- thread_position_in_grid_of_ulong: refused | type 'ulong' is not valid for attribute 'thread_position_in_grid'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], ulong c [[thread_position_in_grid]]) { out[0] = 1; }

// --- thread_position_in_grid_of_bool: refused | type 'bool' is not valid for attribute 'thread_position_in_grid'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], bool c [[thread_position_in_grid]]) { out[0] = 1; }

// --- simdgroup_index_in_threadgroup_of_uint3: refused | type 'uint3' is not valid for attribute 'simdgroup_index_in_threadgroup'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint3 c [[simdgroup_index_in_threadgroup]]) { out[0] = 1; }

// --- simdgroup_index_in_threadgroup_of_int: refused | type 'int' is not valid for attribute 'simdgroup_index_in_threadgroup'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], int c [[simdgroup_index_in_threadgroup]]) { out[0] = 1; }

// --- thread_index_in_threadgroup_of_uint2: refused | type 'uint2' is not valid for attribute 'thread_index_in_threadgroup'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint2 c [[thread_index_in_threadgroup]]) { out[0] = 1; }

// --- thread_index_in_threadgroup_of_float: refused | type 'float' is not valid for attribute 'thread_index_in_threadgroup'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], float c [[thread_index_in_threadgroup]]) { out[0] = 1; }

// --- thread_position_in_grid_of_uint: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* out [[buffer(0)]], uint c [[thread_position_in_grid]]) { out[0] = 1; }

// --- thread_position_in_grid_of_ushort: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* out [[buffer(0)]], ushort c [[thread_position_in_grid]]) { out[0] = 1; }

// --- thread_position_in_grid_of_uint2: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* out [[buffer(0)]], uint2 c [[thread_position_in_grid]]) { out[0] = 1; }

// --- thread_position_in_grid_of_ushort3: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* out [[buffer(0)]], ushort3 c [[thread_position_in_grid]]) { out[0] = 1; }

// --- thread_position_in_grid_of_uint3: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* out [[buffer(0)]], uint3 c [[thread_position_in_grid]]) { out[0] = 1; }

// --- simdgroup_index_in_threadgroup_of_uint: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* out [[buffer(0)]], uint c [[simdgroup_index_in_threadgroup]]) { out[0] = 1; }

// --- simdgroup_index_in_threadgroup_of_ushort: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* out [[buffer(0)]], ushort c [[simdgroup_index_in_threadgroup]]) { out[0] = 1; }

// --- vertex_id_of_int: refused | type 'int' is not valid for attribute 'vertex_id'
// evidence: Metal Shading Language specification: types of inputs of vertex functions
vertex float4 f(int c [[vertex_id]]) { return float4(1); }

// --- vertex_id_of_uint2: refused | type 'uint2' is not valid for attribute 'vertex_id'
// evidence: Metal Shading Language specification: types of inputs of vertex functions
vertex float4 f(uint2 c [[vertex_id]]) { return float4(1); }

// --- instance_id_of_float: refused | type 'float' is not valid for attribute 'instance_id'
// evidence: Metal Shading Language specification: types of inputs of vertex functions
vertex float4 f(float c [[instance_id]]) { return float4(1); }

// --- front_facing_of_uint: refused | type 'uint' is not valid for attribute 'front_facing'
// evidence: Metal Shading Language specification: types of inputs of fragment functions
fragment float4 f(uint c [[front_facing]]) { return float4(1); }

// --- point_coord_of_float3: refused | type 'float3' is not valid for attribute 'point_coord'
// evidence: Metal Shading Language specification: types of inputs of fragment functions
fragment float4 f(float3 c [[point_coord]]) { return float4(1); }

// --- sample_id_of_float: refused | type 'float' is not valid for attribute 'sample_id'
// evidence: Metal Shading Language specification: types of inputs of fragment functions
fragment float4 f(float c [[sample_id]]) { return float4(1); }

// --- position_of_int: refused | type 'int' is not valid for attribute 'position'
// evidence: Metal Shading Language specification: types of inputs of fragment functions
fragment float4 f(int c [[position]]) { return float4(1); }

// --- position_of_float3: refused | type 'float3' is not valid for attribute 'position'
// evidence: Metal Shading Language specification: types of inputs of fragment functions
fragment float4 f(float3 c [[position]]) { return float4(1); }

// --- buffer_of_a_texture: refused | is not valid for attribute 'buffer'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], texture2d<float> c [[buffer(1)]]) { out[0] = 1; }

// --- buffer_of_sampler: refused | is not valid for attribute 'buffer'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], sampler c [[buffer(1)]]) { out[0] = 1; }

// --- buffer_of_uint: refused | is not valid for attribute 'buffer'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint c [[buffer(1)]]) { out[0] = 1; }

// --- sampler_of_a_texture: refused | is not valid for attribute 'sampler'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], texture2d<float> c [[sampler(0)]]) { out[0] = 1; }

// --- sampler_of_uint: refused | is not valid for attribute 'sampler'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint c [[sampler(0)]]) { out[0] = 1; }

// --- texture_of_sampler: refused | is not valid for attribute 'texture'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], sampler c [[texture(0)]]) { out[0] = 1; }

// --- texture_of_uint: refused | is not valid for attribute 'texture'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint c [[texture(0)]]) { out[0] = 1; }

// --- texture_of_a_pointer: refused | is not valid for attribute 'texture'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], device float* c [[texture(0)]]) { out[0] = 1; }

// --- threadgroup_of_int: refused | is not valid for attribute 'threadgroup'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], int c [[threadgroup(0)]]) { out[0] = 1; }

// --- threadgroup_of_a_pointer: refused | is not valid for attribute 'threadgroup'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], device float* c [[threadgroup(0)]]) { out[0] = 1; }

// --- threadgroup_of_a_texture: refused | is not valid for attribute 'threadgroup'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], texture2d<float> c [[threadgroup(0)]]) { out[0] = 1; }

// --- texture_of_texture2d_float_: accepted
// evidence: Metal Shading Language specification: attributes of arguments
kernel void k(device float* out [[buffer(0)]], texture2d<float> c [[texture(0)]]) { out[0] = 1; }

// --- texture_of_array_texture2d_float___4_: accepted
// evidence: Metal Shading Language specification: attributes of arguments
kernel void k(device float* out [[buffer(0)]], array<texture2d<float>, 4> c [[texture(0)]]) { out[0] = 1; }

// --- sampler_of_sampler: accepted
// evidence: Metal Shading Language specification: attributes of arguments
kernel void k(device float* out [[buffer(0)]], sampler c [[sampler(0)]]) { out[0] = 1; }

// --- sampler_of_array_sampler__2_: accepted
// evidence: Metal Shading Language specification: attributes of arguments
kernel void k(device float* out [[buffer(0)]], array<sampler, 2> c [[sampler(1)]]) { out[0] = 1; }

// --- buffer_of_constant_float2_: accepted
// evidence: Metal Shading Language specification: attributes of arguments
kernel void k(device float* out [[buffer(0)]], constant float2& c [[buffer(1)]]) { out[0] = 1; }

// --- buffer_of_constant_float___c__2_: accepted
// evidence: Metal Shading Language specification: attributes of arguments
kernel void k(device float* out [[buffer(0)]], constant float (&c [[buffer(1)]])[2]) { out[0] = 1; }

// --- threadgroup_of_threadgroup_float_: accepted
// evidence: Metal Shading Language specification: attributes of arguments
kernel void k(device float* out [[buffer(0)]], threadgroup float* c [[threadgroup(0)]]) { out[0] = 1; }

// --- buffer_in_threadgroup: refused | invalid address space qualification for buffer pointee type 'threadgroup float'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], threadgroup float* c [[buffer(1)]]) { out[0] = 1; }

// --- buffer_in_thread: refused | invalid address space qualification for buffer pointee type 'thread float'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], thread float* c [[buffer(1)]]) { out[0] = 1; }

// --- buffer_beyond: refused | 'buffer' attribute parameter is out of bounds: must be between 0 and 30
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(31)]]) { out[0] = 1; }

// --- buffer_below: refused | 'buffer' attribute parameter is out of bounds: must be between 0 and 30
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(-1)]]) { out[0] = 1; }

// --- buffer_last: accepted
// evidence: Metal Shading Language specification: limits of arguments
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(30)]]) { out[0] = 1; }

// --- buffer_without_an_index: refused | 'buffer' attribute takes one argument
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer]]) { out[0] = 1; }

// --- buffer_taken: refused | cannot reserve 'buffer' resource location at index 1
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], constant float& d [[buffer(1)]]) { out[0] = 1; }

// --- texture_beyond: refused | 'texture' attribute parameter is out of bounds: must be between 0 and 127
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], texture2d<float> c [[texture(128)]]) { out[0] = 1; }

// --- texture_below: refused | 'texture' attribute parameter is out of bounds: must be between 0 and 127
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], texture2d<float> c [[texture(-1)]]) { out[0] = 1; }

// --- texture_last: accepted
// evidence: Metal Shading Language specification: limits of arguments
kernel void k(device float* out [[buffer(0)]], texture2d<float> c [[texture(127)]]) { out[0] = 1; }

// --- texture_without_an_index: refused | 'texture' attribute takes one argument
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], texture2d<float> c [[texture]]) { out[0] = 1; }

// --- texture_taken: refused | cannot reserve 'texture' resource location at index 1
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], texture2d<float> c [[texture(1)]], texture2d<float> d [[texture(1)]]) { out[0] = 1; }

// --- sampler_beyond: refused | 'sampler' attribute parameter is out of bounds: must be between 0 and 15
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], sampler c [[sampler(16)]]) { out[0] = 1; }

// --- sampler_below: refused | 'sampler' attribute parameter is out of bounds: must be between 0 and 15
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], sampler c [[sampler(-1)]]) { out[0] = 1; }

// --- sampler_last: accepted
// evidence: Metal Shading Language specification: limits of arguments
kernel void k(device float* out [[buffer(0)]], sampler c [[sampler(15)]]) { out[0] = 1; }

// --- sampler_without_an_index: refused | 'sampler' attribute takes one argument
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], sampler c [[sampler]]) { out[0] = 1; }

// --- sampler_taken: refused | cannot reserve 'sampler' resource location at index 1
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], sampler c [[sampler(1)]], sampler d [[sampler(1)]]) { out[0] = 1; }

// --- threadgroup_beyond: refused | 'threadgroup' attribute parameter is out of bounds: must be between 0 and 30
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], threadgroup float* c [[threadgroup(31)]]) { out[0] = 1; }

// --- threadgroup_below: refused | 'threadgroup' attribute parameter is out of bounds: must be between 0 and 30
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], threadgroup float* c [[threadgroup(-1)]]) { out[0] = 1; }

// --- threadgroup_last: accepted
// evidence: Metal Shading Language specification: limits of arguments
kernel void k(device float* out [[buffer(0)]], threadgroup float* c [[threadgroup(30)]]) { out[0] = 1; }

// --- threadgroup_without_an_index: refused | 'threadgroup' attribute takes one argument
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], threadgroup float* c [[threadgroup]]) { out[0] = 1; }

// --- index_that_is_no_constant: refused
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
constant int n [[function_constant(0)]];
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(n)]]) { out[0] = 1; }

// --- index_that_is_a_constant: accepted
// evidence: Metal Shading Language specification: attributes of arguments
constexpr constant int n = 3;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(n + 1)]]) { out[0] = 1; }

// --- kernel_and_fragment: refused | 'kernel' and 'fragment' attributes are not compatible
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[kernel]] [[fragment]] void f() {}

// --- kernel_and_vertex: refused | 'kernel' and 'vertex' attributes are not compatible
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[kernel]] [[vertex]] void f() {}

// --- vertex_and_fragment: refused | 'vertex' and 'fragment' attributes are not compatible
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[vertex]] [[fragment]] void f() {}

// --- buffer_and_texture: refused | 'buffer' and 'texture' attributes are not compatible
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], device float* c [[buffer(1), texture(0)]]) { out[0] = 1; }

// --- buffer_and_position: refused | attributes are not compatible
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], device float* c [[buffer(1), thread_position_in_grid]]) { out[0] = 1; }

// --- kernel_and_limit: accepted
// evidence: Metal Shading Language specification: attributes of functions
[[kernel, max_total_threads_per_threadgroup(64)]] void f(device float* out [[buffer(0)]]) { out[0] = 1; }

// --- early_tests_of_a_kernel: refused | 'early_fragment_tests' attribute only applies to fragment functions
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[early_fragment_tests]] kernel void k(device float* out [[buffer(0)]]) { out[0] = 1; }

// --- early_tests_of_a_fragment_function: accepted
// evidence: Metal Shading Language specification: attributes of fragment functions
[[early_fragment_tests]] fragment float4 f() { return float4(1); }

// --- function_constant_int_n_2_: refused | 'function_constant'
// evidence: Metal Shading Language specification: function constants are scalars or vectors
struct S {
  int a;
};
constant int n[2] [[function_constant(0)]];
kernel void k(device float* out [[buffer(0)]]) { out[0] = 1; }

// --- function_constant_S_n: refused | 'function_constant'
// evidence: Metal Shading Language specification: function constants are scalars or vectors
struct S {
  int a;
};
constant S n [[function_constant(0)]];
kernel void k(device float* out [[buffer(0)]]) { out[0] = 1; }

// --- function_constant_float2_n: accepted
// evidence: Metal Shading Language specification: function constants are scalars or vectors
struct S {
  int a;
};
constant float2 n [[function_constant(0)]];
kernel void k(device float* out [[buffer(0)]]) { out[0] = 1; }

// --- function_constant_bool_n: accepted
// evidence: Metal Shading Language specification: function constants are scalars or vectors
struct S {
  int a;
};
constant bool n [[function_constant(0)]];
kernel void k(device float* out [[buffer(0)]]) { out[0] = 1; }

// --- function_constant_half_n: accepted
// evidence: Metal Shading Language specification: function constants are scalars or vectors
struct S {
  int a;
};
constant half n [[function_constant(0)]];
kernel void k(device float* out [[buffer(0)]]) { out[0] = 1; }

// --- function_constant_outside_of_constant: refused | program scope variable must reside in constant address space
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
int n [[function_constant(0)]];
kernel void k(device float* out [[buffer(0)]]) { out[0] = 1; }

// --- call_of_a_kernel: refused | call to kernel function 'g'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void g(device float* x [[buffer(0)]]) { x[0] = 1; }
kernel void k(device float* out [[buffer(0)]]) { g(out); }

// --- call_of_a_function: accepted
// evidence: Metal Shading Language specification: functions
void g(device float* x) { x[0] = 1; }
kernel void k(device float* out [[buffer(0)]]) { g(out); }

// --- thread_position_in_grid_with_an_argument: refused | 'thread_position_in_grid' attribute takes no arguments
// evidence: the attribute has no argument in the specification
kernel void f(uint i [[thread_position_in_grid(0)]]) {  }

// --- vertex_id_with_an_argument: refused | 'vertex_id' attribute takes no arguments
// evidence: the attribute has no argument in the specification
vertex float4 f(uint i [[vertex_id(1)]]) { return float4(i); }

// --- id_of_a_parameter: refused | 'id' attribute only applies to non-static data members
// evidence: Metal Shading Language specification: argument buffers
kernel void k(device float* out [[buffer(0)]], device float* c [[id(1)]]) { out[0] = 1; }

// --- id_of_a_member: accepted
// evidence: Metal Shading Language specification: argument buffers
struct Arguments {
  device float* x [[id(0)]];
  texture2d<float> t [[id(1)]];
};
kernel void k(device float* out [[buffer(0)]], constant Arguments& c [[buffer(1)]]) { out[0] = 1; }

// --- stage_in_of_a_scalar: refused | type 'float' is not valid for attribute 'stage_in'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 f(float in [[stage_in]]) { return float4(in); }

// --- stage_in_of_a_struct: accepted
// evidence: Metal Shading Language specification: stage inputs
struct Corner {
  float3 place [[attribute(0)]];
};
vertex float4 f(Corner in [[stage_in]]) { return float4(in.place, 1); }

// --- attribute_of_a_matrix: refused | is not valid for attribute 'attribute'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct Corner {
  float4x4 place [[attribute(0)]];
};
vertex float4 f(Corner in [[stage_in]]) { return in.place[0]; }

// --- attribute_beyond: refused | 'attribute' attribute parameter is out of bounds: must be between 0 and 30
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct Corner {
  float4 place [[attribute(31)]];
};
vertex float4 f(Corner in [[stage_in]]) { return in.place; }

// --- color_of_a_vertex_function: refused | invalid return type 'Drawn' for vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct Drawn {
  float4 place [[position]];
  float4 color [[color(0)]];
};
vertex Drawn f() { return Drawn{float4(0), float4(1)}; }

// --- pointer_of_a_vertex_function: refused | for vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex device float* f(device float* x [[buffer(0)]]) { return x; }

// --- result_of_a_kernel: refused | invalid return type 'float' for kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel float f() { return 1; }

// --- value_of_a_kernel_function: refused | invalid type 'float' for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void f(float x) {  }

// --- value_of_a_vertex_function: refused | invalid type 'float' for input declaration in a vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 f(float x) { return float4(x); }

// --- value_of_a_fragment_function: refused | invalid type 'float' for input declaration in a fragment function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
fragment float4 f(float x) { return float4(x); }

// --- numbered_arguments: accepted
// evidence: Metal.jl leaves the numbers out
kernel void f(device float* x, constant uint& n, texture2d<float> t, sampler s, uint i [[thread_position_in_grid]]) { x[i] = n + t.sample(s, float2(0)).x; }

// --- too_many_arguments: refused | no 'buffer' resource location available for 'x31'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void f(device float* x0, device float* x1, device float* x2, device float* x3, device float* x4, device float* x5, device float* x6, device float* x7, device float* x8, device float* x9, device float* x10, device float* x11, device float* x12, device float* x13, device float* x14, device float* x15, device float* x16, device float* x17, device float* x18, device float* x19, device float* x20, device float* x21, device float* x22, device float* x23, device float* x24, device float* x25, device float* x26, device float* x27, device float* x28, device float* x29, device float* x30, device float* x31) { x0[0] = 1; }

// --- all_arguments: accepted
// evidence: Metal Shading Language specification: 31 buffers
kernel void f(device float* x0, device float* x1, device float* x2, device float* x3, device float* x4, device float* x5, device float* x6, device float* x7, device float* x8, device float* x9, device float* x10, device float* x11, device float* x12, device float* x13, device float* x14, device float* x15, device float* x16, device float* x17, device float* x18, device float* x19, device float* x20, device float* x21, device float* x22, device float* x23, device float* x24, device float* x25, device float* x26, device float* x27, device float* x28, device float* x29, device float* x30) { x0[0] = 1; }
