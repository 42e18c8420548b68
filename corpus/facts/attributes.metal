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

// --- host_name_of_a_parameter: refused | 'host_name' attribute only applies to functions
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]] [[host_name("y")]]) { x[0] = 1; }

// --- limit_of_a_struct: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct [[max_total_threads_per_threadgroup(64)]] S { float a; };
kernel void k(device S* x [[buffer(0)]]) { x[0].a = 1; }

// --- buffer_of_a_function: refused | 'buffer' attribute only applies to parameters and global builtin variables
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[buffer(0)]] kernel void k(device float* x) { x[0] = 1; }

// --- position_of_a_function: refused | 'thread_position_in_grid' attribute only applies to parameters and global builtin variables
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[thread_position_in_grid]] kernel void k(device float* x) { x[0] = 1; }

// --- threads_per_grid_of_a_member: refused | 'threads_per_grid' attribute only applies to parameters and global builtin variables
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct Place { uint n [[threads_per_grid]]; };
kernel void k(device float* x [[buffer(0)]]) { x[0] = sizeof(Place); }

// --- vertex_id_of_a_member: refused | 'vertex_id' attribute only applies to parameters and global builtin variables
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct In { uint n [[vertex_id]]; };
kernel void k(device float* x [[buffer(0)]]) { x[0] = sizeof(In); }

// --- id_of_a_function: refused | 'id' attribute only applies to non-static data members
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[id(1)]] kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- visible_variable: refused | 'visible' attribute only applies to functions
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[visible]] constant float a = 1;

// --- kernel_variable: refused | 'kernel' attribute only applies to functions
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[kernel]] constant float a = 1;

// --- simdgroup_position_of_a_local: refused | 'thread_index_in_simdgroup' attribute only applies to parameters and global builtin variables
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]]) {
  for (uint lane [[thread_index_in_simdgroup]] = 0; lane < 4; ++lane) x[lane] = 1;
}

// --- early_tests_of_a_vertex_function: refused | 'early_fragment_tests' attribute only applies to fragment functions
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[early_fragment_tests]] vertex float4 v(uint n [[vertex_id]]) { return float4(n); }

// --- position_of_a_named_int: refused | is not valid for attribute 'thread_position_in_grid'
// evidence: Metal Shading Language specification: types of inputs of kernels
using Index = int;
kernel void k(device float* x [[buffer(0)]], Index i [[thread_position_in_grid]]) { x[i] = 1; }

// --- position_of_a_pointer: refused | is not valid for attribute 'thread_position_in_grid'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], device uint* i [[thread_position_in_grid]]) { x[*i] = 1; }

// --- position_of_a_reference: refused | is not valid for attribute 'thread_position_in_threadgroup'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], constant uint& i [[thread_position_in_threadgroup]]) { x[i] = 1; }

// --- position_of_a_struct: refused | is not valid for attribute 'thread_position_in_grid'
// evidence: Metal Shading Language specification: types of inputs of kernels
struct Place {
  uint x;
  uint y;
};
kernel void k(device float* x [[buffer(0)]], Place at [[thread_position_in_grid]]) { x[at.x] = at.y; }

// --- position_of_a_half: refused | type 'half' is not valid for attribute 'thread_position_in_grid'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], half i [[thread_position_in_grid]]) { x[int(i)] = 1; }

// --- position_of_short3: refused | type 'short3' is not valid for attribute 'threadgroup_position_in_grid'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], short3 at [[threadgroup_position_in_grid]]) { x[at.x] = 1; }

// --- position_of_float2: refused | type 'float2' is not valid for attribute 'thread_position_in_grid'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], float2 at [[thread_position_in_grid]]) { x[int(at.x)] = 1; }

// --- lane_of_a_vector: refused | type 'uint2' is not valid for attribute 'thread_index_in_simdgroup'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], uint2 lane [[thread_index_in_simdgroup]]) { x[lane.x] = 1; }

// --- lane_of_a_float: refused | type 'float' is not valid for attribute 'thread_index_in_simdgroup'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], float lane [[thread_index_in_simdgroup]]) { x[int(lane)] = 1; }

// --- width_of_an_int: refused | type 'int' is not valid for attribute 'threads_per_simdgroup'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], int width [[threads_per_simdgroup]]) { x[width] = 1; }

// --- simdgroups_of_a_vector: refused | type 'ushort3' is not valid for attribute 'simdgroups_per_threadgroup'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], ushort3 n [[simdgroups_per_threadgroup]]) { x[n.x] = 1; }

// --- grid_of_ints: refused | type 'int3' is not valid for attribute 'threads_per_grid'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], int3 n [[threads_per_grid]]) { x[n.x] = 1; }

// --- threadgroups_of_a_float: refused | type 'float' is not valid for attribute 'threadgroups_per_grid'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], float n [[threadgroups_per_grid]]) { x[int(n)] = 1; }

// --- quad_lane_of_a_bool: refused | type 'bool' is not valid for attribute 'thread_index_in_quadgroup'
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], bool n [[thread_index_in_quadgroup]]) { x[n] = 1; }

// --- position_in_a_template: refused | is not valid for attribute 'thread_position_in_grid'
// evidence: Metal Shading Language specification: types of inputs of kernels
template <typename T>
kernel void fill(device T* x [[buffer(0)]], T i [[thread_position_in_grid]]) { x[uint(i)] = i; }
template [[host_name("fill_float")]] kernel void fill<float>(device float*, float);

// --- scalar_and_vector_positions: refused | expecting input declarations with either all scalar types or all vector types
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]], uint2 n [[threads_per_grid]]) { x[i] = n.x; }

// --- positions_of_two_lengths: refused | expecting input declarations with either all scalar types or all vector types
// evidence: Metal Shading Language specification: types of inputs of kernels
kernel void k(device float* x [[buffer(0)]], uint2 i [[thread_position_in_grid]], uint3 n [[threads_per_threadgroup]]) { x[i.x] = n.x; }

// --- vertex_id_of_a_named_int: refused | is not valid for attribute 'vertex_id'
// evidence: Metal Shading Language specification: types of inputs of vertex and fragment functions
typedef int Index;
vertex float4 v(Index n [[vertex_id]]) { return float4(n); }

// --- instance_id_of_a_vector: refused | type 'ushort2' is not valid for attribute 'instance_id'
// evidence: Metal Shading Language specification: types of inputs of vertex and fragment functions
vertex float4 v(ushort2 n [[instance_id]]) { return float4(n.x); }

// --- base_vertex_of_a_float: refused | type 'float' is not valid for attribute 'base_vertex'
// evidence: Metal Shading Language specification: types of inputs of vertex and fragment functions
vertex float4 v(float n [[base_vertex]]) { return float4(n); }

// --- front_facing_of_an_int: refused | type 'int' is not valid for attribute 'front_facing'
// evidence: Metal Shading Language specification: types of inputs of vertex and fragment functions
fragment float4 f(int n [[front_facing]]) { return float4(n); }

// --- point_coord_of_a_float: refused | type 'float' is not valid for attribute 'point_coord'
// evidence: Metal Shading Language specification: types of inputs of vertex and fragment functions
fragment float4 f(float n [[point_coord]]) { return float4(n); }

// --- position_of_a_half4: refused | type 'half4' is not valid for attribute 'position'
// evidence: Metal Shading Language specification: types of inputs of vertex and fragment functions
struct Out { half4 at [[position]]; };
vertex Out v(uint n [[vertex_id]]) { return {half4(n)}; }

// --- position_of_a_float2: refused | type 'float2' is not valid for attribute 'position'
// evidence: Metal Shading Language specification: types of inputs of vertex and fragment functions
struct Out {
  float2 at [[position]];
  float4 colour;
};
vertex Out v(uint n [[vertex_id]]) { return {float2(n), float4(1)}; }

// --- point_size_of_an_int: refused | type 'int' is not valid for attribute 'point_size'
// evidence: Metal Shading Language specification: types of inputs of vertex and fragment functions
struct Out {
  float4 at [[position]];
  int size [[point_size]];
};
vertex Out v(uint n [[vertex_id]]) { return {float4(n), 1}; }

// --- size_of_a_point_in_a_kernel: refused
// evidence: Metal Shading Language specification: inputs of each stage
kernel void k(device float* x [[buffer(0)]], float c [[point_size]]) { x[0] = c; }

// --- position_in_patch_of_a_kernel: refused | invalid 'position_in_patch' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: inputs of each stage
kernel void k(device float* x [[buffer(0)]], float2 c [[position_in_patch]]) { x[0] = c.x; }

// --- simdgroups_of_a_fragment_function: refused | invalid 'simdgroup_index_in_threadgroup' attribute for input declaration in a fragment function
// evidence: Metal Shading Language specification: inputs of each stage
fragment float4 f(uint n [[simdgroup_index_in_threadgroup]]) { return float4(n); }

// --- grid_of_a_fragment_function: refused | invalid 'thread_position_in_grid' attribute for input declaration in a fragment function
// evidence: Metal Shading Language specification: inputs of each stage
fragment float4 f(uint2 n [[thread_position_in_grid]]) { return float4(n.x); }

// --- threads_of_a_vertex_function: refused | invalid 'threads_per_grid' attribute for input declaration in a vertex function
// evidence: Metal Shading Language specification: inputs of each stage
vertex float4 v(uint n [[vertex_id]], uint m [[threads_per_grid]]) { return float4(n + m); }

// --- index_of_a_float: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(1.5)]]) { x[0] = 1; }

// --- index_of_a_string: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer("zero")]]) { x[0] = 1; }

// --- empty_index: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer()]]) { x[0] = 1; }

// --- named_index_beyond: refused | 'buffer' attribute parameter is out of bounds: must be between 0 and 30
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
enum Index { weights = 40 };
kernel void k(device float* x [[buffer(weights)]]) { x[0] = 1; }

// --- sum_of_an_index_beyond: refused | 'texture' attribute parameter is out of bounds: must be between 0 and 127
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
constant constexpr int first = 100;
kernel void k(texture2d<float> t [[texture(first + 28)]], device float* x [[buffer(0)]]) { x[0] = t.get_width(); }

// --- macro_index_below: refused | 'sampler' attribute parameter is out of bounds: must be between 0 and 15
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
#define INDEX -1
kernel void k(sampler s [[sampler(INDEX)]], texture2d<float> t [[texture(0)]], device float* x [[buffer(0)]]) { x[0] = t.sample(s, float2(0)).x; }

// --- index_of_a_template_beyond: refused | 'buffer' attribute parameter is out of bounds: must be between 0 and 30
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
template <int n>
kernel void fill(device float* x [[buffer(n)]]) { x[0] = 1; }
template [[host_name("fill_31")]] kernel void fill<31>(device float*);

// --- index_taken_by_an_array: refused | cannot reserve 'texture' resource location at index 2
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(array<texture2d<float>, 3> a [[texture(0)]], texture2d<float> b [[texture(2)]], device float* x [[buffer(0)]]) {
  x[0] = a[0].get_width() + b.get_width();
}

// --- index_taken_by_a_reference: refused | cannot reserve 'buffer' resource location at index 3
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(3)]], constant float& c [[buffer(3)]]) { x[0] = c; }

// --- index_taken_in_a_vertex_function: refused | cannot reserve 'buffer' resource location at index 0
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex float4 v(constant float4* x [[buffer(0)]], constant float4* y [[buffer(0)]], uint n [[vertex_id]]) { return x[n] + y[n]; }

// --- index_taken_by_a_sum: refused | cannot reserve 'buffer' resource location at index 2
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
constant constexpr int one = 1;
kernel void k(device float* x [[buffer(one + 1)]], device float* y [[buffer(2)]]) { x[0] = y[0]; }

// --- buffer_and_texture_in_one_list: refused | 'buffer' and 'texture' attributes are not compatible
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0), texture(0)]]) { x[0] = 1; }

// --- position_and_texture: refused | attributes are not compatible
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]] [[texture(0)]]) { x[i] = 1; }

// --- kernel_by_word_and_attribute: refused | attributes are not compatible
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[vertex]] kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- two_positions_of_one_parameter: refused | attributes are not compatible
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]] [[thread_position_in_threadgroup]]) { x[i] = 1; }

// --- buffer_of_a_struct: refused | is not valid for attribute 'buffer'
// evidence: Metal Shading Language specification: types of arguments
struct Args { float a; };
kernel void k(device float* x [[buffer(0)]], Args a [[buffer(1)]]) { x[0] = a.a; }

// --- buffer_of_an_array: refused | is not valid for attribute 'buffer'
// evidence: Metal Shading Language specification: types of arguments
kernel void k(device float* x [[buffer(0)]], array<float, 4> a [[buffer(1)]]) { x[0] = a[0]; }

// --- texture_of_a_buffer_reference: refused | is not valid for attribute 'texture'
// evidence: Metal Shading Language specification: types of arguments
kernel void k(device float& x [[texture(0)]]) { x = 1; }

// --- sampler_of_a_pointer: refused | is not valid for attribute 'sampler'
// evidence: Metal Shading Language specification: types of arguments
kernel void k(device float* x [[sampler(0)]]) { x[0] = 1; }

// --- threadgroup_of_a_sampler: refused | is not valid for attribute 'threadgroup'
// evidence: Metal Shading Language specification: types of arguments
kernel void k(device float* x [[buffer(0)]], sampler s [[threadgroup(0)]]) { x[0] = 1; }

// --- buffer_in_a_named_space: refused | invalid address space qualification for buffer pointee type
// evidence: Metal Shading Language specification: types of arguments
using Local = threadgroup float*;
kernel void k(device float* x [[buffer(0)]], Local t [[buffer(1)]]) { x[0] = t[0]; }

// --- buffer_reference_in_thread: refused | invalid address space qualification for buffer pointee type
// evidence: Metal Shading Language specification: types of arguments
kernel void k(device float* x [[buffer(0)]], thread float& t [[buffer(1)]]) { x[0] = t; }

// --- space_of_a_value: refused | parameter may not be qualified with an address space
// evidence: Metal Shading Language specification: types of arguments
kernel void k(device float* x [[buffer(0)]], constant float c [[buffer(1)]]) { x[0] = c; }

// --- space_of_a_value_in_a_helper: refused | parameter may not be qualified with an address space
// evidence: Metal Shading Language specification: types of arguments
float twice(device float c) { return 2 * c; }
kernel void k(device float* x [[buffer(0)]]) { x[0] = twice(1); }

// --- pointer_without_a_space: refused | pointer type must have explicit address space qualifier
// evidence: Metal Shading Language specification: types of arguments
kernel void k(float* x [[buffer(0)]]) { x[0] = 1; }

// --- reference_without_a_space: refused | reference type must have explicit address space qualifier
// evidence: Metal Shading Language specification: types of arguments
struct Args { float a; };
kernel void k(device float* x [[buffer(0)]], const Args& a [[buffer(1)]]) { x[0] = a.a; }

// --- variadic_kernel: refused
// evidence: Metal Shading Language specification: types of arguments
kernel void k(device float* x [[buffer(0)]], ...) { x[0] = 1; }

// --- boolean_by_value: refused | invalid type 'bool' for input declaration in a kernel function
// evidence: Metal Shading Language specification: types of arguments
kernel void k(device float* x [[buffer(0)]], bool flag) { x[0] = flag; }

// --- vector_by_value: refused | invalid type 'uint2' for input declaration in a kernel function
// evidence: Metal Shading Language specification: types of arguments
kernel void k(device float* x [[buffer(0)]], uint2 size) { x[0] = size.x; }

// --- struct_by_value: refused | for input declaration in a kernel function
// evidence: Metal Shading Language specification: types of arguments
struct Args { float a; };
kernel void k(device float* x [[buffer(0)]], Args a) { x[0] = a.a; }

// --- named_number_by_value: refused | for input declaration in a kernel function
// evidence: Metal Shading Language specification: types of arguments
typedef uint Length;
kernel void k(device float* x [[buffer(0)]], Length n) { x[0] = n; }

// --- value_of_a_template: refused | for input declaration in a kernel function
// evidence: Metal Shading Language specification: types of arguments
template <typename T>
kernel void fill(device T* x [[buffer(0)]], T a) { x[0] = a; }
template [[host_name("fill_float")]] kernel void fill<float>(device float*, float);

// --- result_of_an_int: refused | invalid return type 'int' for kernel function
// evidence: Metal Shading Language specification: types of arguments
kernel int k(device float* x [[buffer(0)]]) { return int(x[0]); }

// --- result_of_a_struct: refused | for kernel function
// evidence: Metal Shading Language specification: types of arguments
struct Pair { float a; };
kernel Pair k(device float* x [[buffer(0)]]) { return {x[0]}; }

// --- result_that_is_deduced: refused | for kernel function
// evidence: Metal Shading Language specification: types of arguments
kernel auto k(device float* x [[buffer(0)]]) { return x[0]; }

// --- result_of_a_pointer: refused | for kernel function
// evidence: Metal Shading Language specification: types of arguments
kernel device float* k(device float* x [[buffer(0)]]) { return x; }

// --- function_constant_of_a_pointer: refused
// evidence: Metal Shading Language specification: function constants are scalars or vectors
constant float* p [[function_constant(0)]];

// --- function_constant_of_a_matrix: refused
// evidence: Metal Shading Language specification: function constants are scalars or vectors
constant float2x2 m [[function_constant(0)]];

// --- function_constant_in_device: refused
// evidence: Metal Shading Language specification: function constants are scalars or vectors
device int n [[function_constant(0)]];

// --- function_constant_of_a_local: refused
// evidence: Metal Shading Language specification: function constants are scalars or vectors
kernel void k(device float* x [[buffer(0)]]) {
  int n [[function_constant(0)]] = 1;
  x[0] = n;
}

// --- call_of_a_kernel_in_a_template: refused | call to kernel function
// evidence: Metal Shading Language specification: functions of a stage call none of a stage
kernel void g(device float* x [[buffer(0)]]) { x[0] = 1; }
template <typename T>
kernel void k(device T* x [[buffer(0)]]) { g(x); }
template [[host_name("k_float")]] kernel void k<float>(device float*);

// --- call_of_an_attributed_kernel: refused | call to kernel function 'g'
// evidence: Metal Shading Language specification: functions of a stage call none of a stage
[[kernel]] void g(device float* x [[buffer(0)]]) { x[0] = 1; }
[[kernel]] void k(device float* x [[buffer(0)]]) { g(x); }

// --- kernels_by_attribute: accepted
// evidence: Metal Shading Language specification: attributes of arguments
[[kernel]] void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }

// --- several_attributes_in_one_list: accepted
// evidence: Metal Shading Language specification: attributes of arguments
[[host_name("scale"), max_total_threads_per_threadgroup(64)]] kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }

// --- index_of_an_enumerator: accepted
// evidence: Metal Shading Language specification: attributes of arguments
enum Index { weights = 3 };
enum class Slot : uint { values = 4 };
kernel void k(device float* x [[buffer(weights)]], device float* y [[buffer(uint(Slot::values))]], uint i [[thread_position_in_grid]]) { x[i] = y[i]; }

// --- index_of_a_macro: accepted
// evidence: Metal Shading Language specification: attributes of arguments
#define WEIGHTS (2 + 1)
kernel void k(device float* x [[buffer(WEIGHTS)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }

// --- index_of_a_template: accepted
// evidence: Metal Shading Language specification: attributes of arguments
template <int n>
kernel void fill(device float* x [[buffer(n)]], uint i [[thread_position_in_grid]]) { x[i] = n; }
template [[host_name("fill_5")]] kernel void fill<5>(device float*, uint);

// --- index_of_a_member: accepted
// evidence: Metal Shading Language specification: attributes of arguments
struct Slots {
  static constexpr constant int values = 7;
};
kernel void k(device float* x [[buffer(Slots::values)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }

// --- array_beside_a_texture: accepted
// evidence: Metal Shading Language specification: attributes of arguments
kernel void k(array<texture2d<float>, 3> a [[texture(0)]], texture2d<float> b [[texture(3)]], device float* x [[buffer(0)]]) {
  x[0] = a[0].get_width() + b.get_width();
}

// --- one_index_of_each_kind: accepted
// evidence: Metal Shading Language specification: attributes of arguments
kernel void k(device float* x [[buffer(0)]], texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], threadgroup float* g [[threadgroup(0)]]) {
  g[0] = t.sample(s, float2(0)).x;
  x[0] = g[0];
}

// --- some_arguments_numbered: accepted
// evidence: Metal Shading Language specification: attributes of arguments
kernel void k(device float* x, device float* y [[buffer(0)]], constant float& c, uint i [[thread_position_in_grid]]) { x[i] = y[i] * c; }

// --- threadgroup_of_a_struct: accepted
// evidence: Metal Shading Language specification: attributes of arguments
struct Cell {
  float a;
  float b;
};
kernel void k(device float* x [[buffer(0)]], threadgroup Cell* t [[threadgroup(1)]], uint i [[thread_position_in_threadgroup]]) {
  t[i].a = x[i];
  x[i] = t[i].a;
}

// --- all_scalars: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* x [[buffer(0)]], uint a [[thread_position_in_grid]], ushort b [[thread_index_in_threadgroup]], uint c [[threads_per_grid]], ushort d [[thread_index_in_simdgroup]], uint e [[simdgroup_index_in_threadgroup]]) {
  x[a] = b + c + d + e;
}

// --- all_of_three_dimensions: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* x [[buffer(0)]], uint3 a [[thread_position_in_grid]], uint3 b [[threads_per_threadgroup]], uint3 c [[threadgroups_per_grid]], uint d [[thread_index_in_threadgroup]]) {
  x[a.x] = b.y + c.z + d;
}

// --- shorts_beside_uints: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* x [[buffer(0)]], uint2 a [[thread_position_in_grid]], ushort2 b [[thread_position_in_threadgroup]], ushort2 c [[threads_per_threadgroup]]) { x[a.x] = b.y + c.x; }

// --- named_types: accepted
// evidence: Metal Shading Language specification: inputs of kernels
using Index = uint;
typedef ushort2 Place;
kernel void k(device float* x [[buffer(0)]], const Index i [[thread_index_in_threadgroup]], const Place at [[threadgroup_position_in_grid]]) { x[i] = at.x; }

// --- position_of_a_template: accepted
// evidence: Metal Shading Language specification: inputs of kernels
template <typename T, typename Place>
kernel void fill(device T* x [[buffer(0)]], Place at [[thread_position_in_grid]]) { x[at.x] = T(at.y); }
template [[host_name("fill_float")]] kernel void fill<float, uint2>(device float*, uint2);

// --- quadgroups: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* x [[buffer(0)]], uint a [[thread_index_in_quadgroup]], uint b [[quadgroup_index_in_threadgroup]], ushort c [[quadgroups_per_threadgroup]], uint d [[dispatch_quadgroups_per_threadgroup]]) {
  x[a] = b + c + d;
}

// --- origin_of_the_grid: accepted
// evidence: Metal Shading Language specification: inputs of kernels
kernel void k(device float* x [[buffer(0)]], uint2 at [[thread_position_in_grid]], uint2 from [[grid_origin]], uint2 size [[grid_size]]) { x[at.x] = from.x + size.y; }

// --- ids_of_shorts: accepted
// evidence: Metal Shading Language specification: inputs of vertex functions
vertex float4 v(ushort n [[vertex_id]], ushort m [[instance_id]], constant float4* x [[buffer(0)]]) { return x[n] + x[m]; }

// --- struct_with_position_and_size: accepted
// evidence: Metal Shading Language specification: inputs of vertex functions
struct Out {
  float4 at [[position]];
  float size [[point_size]];
  float3 colour [[user(colour)]];
  uint layer [[render_target_array_index]];
  float clip [[clip_distance]] [2];
};
vertex Out v(uint n [[vertex_id]]) { return {float4(n), 1, float3(1), 0, {0, 0}}; }

// --- attributes_of_stage_in: accepted
// evidence: Metal Shading Language specification: inputs of vertex functions
struct In {
  float3 at [[attribute(0)]];
  half2 uv [[attribute(1)]];
  uchar4 colour [[attribute(30)]];
};
vertex float4 v(In in [[stage_in]], constant float4x4& m [[buffer(1)]]) { return m * float4(in.at, in.uv.x + in.colour.x); }

// --- vertex_function_without_a_result: accepted
// evidence: Metal Shading Language specification: inputs of vertex functions
vertex void v(uint n [[vertex_id]], device float* x [[buffer(0)]]) { x[n] = 1; }

// --- fragment_with_structs: accepted
// evidence: Metal Shading Language specification: inputs of fragment functions
struct In {
  float4 at [[position]];
  float2 uv;
  half3 normal [[flat]];
  uint layer [[render_target_array_index]];
};
struct Out {
  float4 colour [[color(0)]];
  half2 other [[color(1)]];
  float z [[depth(any)]];
};
fragment Out f(In in [[stage_in]], bool is_front [[front_facing]], uint sample [[sample_id]]) {
  return {in.at + is_front, half2(in.normal.xy) + half(sample), in.uv.x};
}

// --- fragment_that_reads_a_colour: accepted
// evidence: Metal Shading Language specification: inputs of fragment functions
fragment half4 f(half4 before [[color(0)]], float4 at [[position]]) { return before + half4(at); }

// --- fragment_without_a_result: accepted
// evidence: Metal Shading Language specification: inputs of fragment functions
fragment void f(float4 at [[position]], device float* x [[buffer(0)]]) { x[uint(at.x)] = 1; }

// --- fragment_of_a_position_struct: accepted
// evidence: Metal Shading Language specification: inputs of fragment functions
struct In {
  float4 at [[position]];
  float3 a [[center_no_perspective]];
  float3 b [[centroid_perspective]];
  float3 c [[sample_perspective]];
};
fragment float4 f(In in [[stage_in]], float2 at [[point_coord]], uint mask [[sample_mask]]) { return float4(in.a + in.b + in.c, at.x + mask); }

// --- function_constants_of_many_types: accepted
// evidence: Metal Shading Language specification: function constants are scalars or vectors
constant bool flag [[function_constant(0)]];
constant uint3 size [[function_constant(1)]];
constant half scale [[function_constant(2)]];
constant uchar small [[function_constant(65535)]];
constant float twice = flag ? scale * 2 : 1;
kernel void k(device float* x [[buffer(0)]], device float* y [[buffer(1), function_constant(flag)]], uint i [[thread_position_in_grid]]) {
  x[i] = (flag ? y[i] : 0) + size.x + scale + small + twice;
}

// --- function_constant_defined: accepted
// evidence: Metal Shading Language specification: function constants are scalars or vectors
constant int n [[function_constant(3)]];
constant int count = is_function_constant_defined(n) ? n : 4;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = count; }

// --- argument_buffer_of_many_kinds: accepted
// evidence: Metal Shading Language specification: argument buffers
struct Args {
  texture2d<float> image [[id(0)]];
  sampler how [[id(1)]];
  device float* values [[id(2)]];
  float scale [[id(3)]];
  array<texture2d<half>, 4> more [[id(4)]];
};
kernel void k(constant Args& a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  a.values[i] = a.image.sample(a.how, float2(0)).x * a.scale + a.more[1].get_width();
}

// --- helpers_that_share: accepted
// evidence: Metal Shading Language specification: helper functions
float twice(float a) { return 2 * a; }
inline float more(device const float* x, uint i) { return twice(x[i]) + 1; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = more(x, i); }
kernel void l(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = twice(more(x, i)); }

// --- color_in_a_kernel: refused | invalid 'color' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], float4 c [[color(0)]]) { x[0] = c.x; }

// --- sample_mask_in_a_kernel: refused | invalid 'sample_mask' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], uint c [[sample_mask]]) { x[0] = c; }

// --- render_target_array_index_in_a_kernel: refused | invalid 'render_target_array_index' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], uint c [[render_target_array_index]]) { x[0] = c; }

// --- viewport_array_index_in_a_kernel: refused | invalid 'viewport_array_index' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], uint c [[viewport_array_index]]) { x[0] = c; }

// --- clip_distance_in_a_kernel: refused | invalid 'clip_distance' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], float c [[clip_distance]]) { x[0] = c; }

// --- depth_in_a_kernel: refused | invalid 'depth' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], float c [[depth(any)]]) { x[0] = c; }

// --- stencil_in_a_kernel: refused | invalid 'stencil' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], uint c [[stencil]]) { x[0] = c; }

// --- distance_in_a_kernel: refused | invalid 'distance' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], float c [[distance]]) { x[0] = c; }

// --- primitive_culled_in_a_kernel: refused | invalid 'primitive_culled' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], bool c [[primitive_culled]]) { x[0] = c; }

// --- origin_in_a_kernel: refused | invalid 'origin' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], float3 c [[origin]]) { x[0] = c.x; }

// --- max_distance_in_a_kernel: refused | invalid 'max_distance' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], float c [[max_distance]]) { x[0] = c; }

// --- flat_in_a_kernel: refused | invalid 'flat' attribute for input declaration in a kernel function
// evidence: Metal Shading Language specification: attributes of fragment and intersection functions; the compiler's message is public
kernel void k(device float* x [[buffer(0)]], float c [[flat]]) { x[0] = c; }

// --- color_in_a_vertex_function: refused | invalid 'color' attribute for input declaration in a vertex function
// evidence: Metal Shading Language specification: attributes of fragment functions
vertex float4 f(float4 c [[color(0)]]) { return c; }

// --- sample_mask_in_a_vertex_function: refused | invalid 'sample_mask' attribute for input declaration in a vertex function
// evidence: Metal Shading Language specification: attributes of fragment functions
vertex float4 f(uint c [[sample_mask]]) { return c; }

// --- inputs_of_a_fragment_function: accepted
// evidence: Metal Shading Language specification: attributes of fragment functions
fragment float4 f(float4 before [[color(1)]], uint mask [[sample_mask]], uint layer [[render_target_array_index]],
                  uint view [[viewport_array_index]]) {
  return before + mask + layer + view;
}

// --- distances_of_a_vertex_function: accepted
// evidence: Metal Shading Language specification: attributes of the results of vertex functions
struct Out {
  float4 at [[position]];
  float near [[clip_distance]][2];
  uint layer [[render_target_array_index]];
};
vertex Out v(uint i [[vertex_id]]) {
  Out out;
  out.at = float4(i);
  out.near[0] = out.near[1] = 1;
  out.layer = i;
  return out;
}

// --- user_name_in_a_kernel: accepted
// evidence: sources that naga writes have it on parameters of kernels
kernel void k(device float* x [[buffer(0)]], constant float& y [[user(fake0)]]) { x[0] = y; }

// --- buffer_with_two_arguments: refused | 'buffer' attribute takes one argument
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0, 1)]]) { x[0] = 1; }

// --- most_threads_with_two_arguments: refused | 'max_total_threads_per_threadgroup' attribute takes one argument
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[max_total_threads_per_threadgroup(64, 1)]] kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- function_constant_without_an_index: refused | 'function_constant' attribute takes one argument
// evidence: a public list of the compiler's attributes (kagurasumusun/llvm-project, docs-metal/data)
constant int n [[function_constant]];
kernel void k(device float* x [[buffer(0)]]) { x[0] = n; }

// --- vertex_function_gives_an_int: refused | invalid return type 'int' for vertex function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
vertex int f(uint i [[vertex_id]]) { return i; }

// --- vertex_function_gives_three_components: refused | invalid return type 'float3' for vertex function
// evidence: Metal Shading Language specification: results of vertex and fragment functions; the compiler's message is public
vertex float3 f(uint i [[vertex_id]]) { return float3(i); }

// --- fragment_function_gives_a_matrix: refused | invalid return type 'float4x4' for fragment function
// evidence: Metal Shading Language specification: results of vertex and fragment functions; the compiler's message is public
fragment float4x4 f() { return float4x4(1); }

// --- vertex_function_gives_a_pointer_in_a_struct: refused | invalid return type 'Out' for vertex function
// evidence: Metal Shading Language specification: results of vertex and fragment functions; the compiler's message is public
struct Out {
  float4 at [[position]];
  device float* memory;
};
vertex Out f(device float* x [[buffer(0)]], uint i [[vertex_id]]) { return Out{float4(i), x}; }

// --- vertex_function_gives_a_texture_in_a_struct: refused | invalid return type 'Out' for vertex function
// evidence: Metal Shading Language specification: results of vertex and fragment functions; the compiler's message is public
struct Out {
  float4 at [[position]];
  texture2d<float> image;
};
vertex Out f(texture2d<float> image [[texture(0)]], uint i [[vertex_id]]) { return Out{float4(i), image}; }

// --- results_of_fragment_functions: accepted
// evidence: Metal Shading Language specification: results of vertex and fragment functions; the compiler's message is public
struct Out {
  half4 a [[color(0)]];
  float2 b [[color(1)]];
  uint stencil [[stencil]];
};
fragment Out f() { return Out{1, 2, 3}; }
fragment half g() { return 1; }
fragment uint4 h() { return 1; }
fragment void e(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- stencil_of_a_float: refused | type 'float' is not valid for attribute 'stencil'
// evidence: Metal Shading Language specification: attributes of fragment functions
struct Out {
  float stencil [[stencil]];
};
fragment Out f() { return Out{1}; }

// --- mesh_in_a_kernel: refused | for input declaration in a kernel function
// evidence: Metal Shading Language specification: mesh functions; the compiler's message is public
struct Corner {
  float4 at [[position]];
};
kernel void k(mesh<Corner, void, 3, 1, topology::triangle> out) { out.set_primitive_count(1); }

// --- mesh_grid_in_a_kernel: refused | for input declaration in a kernel function
// evidence: Metal Shading Language specification: object functions; the compiler's message is public
kernel void k(mesh_grid_properties grid) { grid.set_threadgroups_per_grid(uint3(1)); }

// --- acceleration_structure_as_a_texture: refused | is not valid for attribute 'texture'
// evidence: Metal Shading Language specification: acceleration structures are bound as buffers
#include <metal_stdlib>
#include <metal_raytracing>
using namespace metal;
using namespace metal::raytracing;
kernel void k(primitive_acceleration_structure a [[texture(1)]], device float* x [[buffer(0)]]) { x[0] = 1; }

// --- matrix_without_an_attribute: refused | for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], float4x4 m) { x[0] = m[0][0]; }

// --- packed_vector_without_an_attribute: refused | for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], packed_float3 m) { x[0] = m.x; }

// --- vector_of_bool_without_an_attribute: refused | for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], bool3 m) { x[0] = m.x; }

// --- array_of_numbers_without_an_attribute: refused | for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], array<float, 2> m) { x[0] = m[0]; }

// --- atomic_object_without_an_attribute: refused | for input declaration in a kernel function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], atomic_int m) { x[0] = 1; }

// --- thread_reference_of_a_kernel: refused | invalid address space qualification for buffer pointee type 'thread float'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], thread float& m) { x[0] = m; }

// --- negative_id: refused | 'id' attribute parameter is out of bounds
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct Args {
  device float* x [[id(-1)]];
};
kernel void k(constant Args& a [[buffer(0)]]) { a.x[0] = 1; }

// --- buffer_of_textures: refused | is not valid for attribute 'buffer'
// evidence: shader-slang/slang#11970: Apple's compiler rejects pointers to textures and to pointers as buffers
kernel void k(const device texture2d<float>* images [[buffer(0)]]) {}

// --- buffer_of_samplers: refused | is not valid for attribute 'buffer'
// evidence: shader-slang/slang#11970: Apple's compiler rejects pointers to textures and to pointers as buffers
kernel void k(constant sampler& how [[buffer(0)]]) {}

// --- buffer_of_pointers: refused | is not valid for attribute 'buffer'
// evidence: shader-slang/slang#11970: Apple's compiler rejects pointers to textures and to pointers as buffers
kernel void k(device uint* device* lists [[buffer(0)]]) {}

// --- buffer_of_structs_of_textures: accepted
// evidence: shader-slang/slang#11970: Apple's compiler rejects pointers to textures and to pointers as buffers; in a struct they are accepted
struct Image {
  texture2d<float> image;
};
struct List {
  device uint* values;
};
kernel void k(const device Image* images [[buffer(0)]], device List* lists [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  lists[i].values[0] = images[i].image.get_width();
}

// --- stage_in_of_a_reference: refused | is not valid for attribute 'stage_in'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data and tests)
struct Drawn {
  float4 at [[position]];
};
fragment float4 f(device Drawn& in [[stage_in]]) { return in.at; }

// --- stage_in_with_a_texture: refused | type 'Drawn' is not valid for attribute 'stage_in'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data and tests)
struct Drawn {
  float4 at [[position]];
  texture2d<float> image;
};
fragment float4 f(Drawn in [[stage_in]]) { return in.at; }

// --- stage_in_with_a_pointer: refused | type 'Drawn' is not valid for attribute 'stage_in'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data and tests)
struct Drawn {
  float4 at [[position]];
  device float* memory;
};
fragment float4 f(Drawn in [[stage_in]]) { return in.at; }

// --- stage_in_of_plain_members: accepted
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data and tests)
struct Drawn {
  float4 at [[position]];
  half4 colour;
  float3 normal [[flat]];
  uint count;
};
fragment float4 f(Drawn in [[stage_in]]) { return in.at + in.normal.x + in.count + float4(in.colour); }

// --- early_tests_and_depth: refused | early_fragment_tests
// evidence: Metal Shading Language specification: early fragment tests
struct Out { float4 c [[color(0)]]; float d [[depth(less)]]; };
[[early_fragment_tests]] fragment Out f(float4 p [[position]]) { return {p, p.z}; }

// --- early_tests_without_depth: accepted
// evidence: Metal Shading Language specification: early fragment tests
struct Out { float4 c [[color(0)]]; uint m [[sample_mask]]; };
[[early_fragment_tests]] fragment Out f(float4 p [[position]]) { return {p, 1}; }

// --- depth_without_early_tests: accepted
// evidence: Metal Shading Language specification: early fragment tests
struct Out { float4 c [[color(0)]]; float d [[depth(less)]]; };
fragment Out f(float4 p [[position]]) { return {p, p.z}; }

// --- two_inputs_of_a_stage: refused | stage_in
// evidence: Metal Shading Language specification: one parameter has stage_in
struct A { float4 p [[attribute(0)]]; };
struct B { float4 q [[attribute(1)]]; };
vertex float4 v(A a [[stage_in]], B b [[stage_in]]) { return a.p + b.q; }

// --- mask_of_16_bits: refused | type 'ushort' is not valid for attribute
// evidence: Metal Shading Language specification: types of a fragment function's results
struct Out { float4 c [[color(0)]]; ushort m [[sample_mask]] ; };
fragment Out f(float4 p [[position]]) { Out o; o.c = p; o.m = 1; return o; }

// --- mask_of_32_bits: accepted
// evidence: Metal Shading Language specification: types of a fragment function's results
struct Out { float4 c [[color(0)]]; uint m [[sample_mask]] ; };
fragment Out f(float4 p [[position]]) { Out o; o.c = p; o.m = 1; return o; }

// --- stencil_of_16_bits: refused | type 'ushort' is not valid for attribute
// evidence: Metal Shading Language specification: types of a fragment function's results
struct Out { float4 c [[color(0)]]; ushort m [[stencil]] ; };
fragment Out f(float4 p [[position]]) { Out o; o.c = p; o.m = 1; return o; }

// --- stencil_of_32_bits: accepted
// evidence: Metal Shading Language specification: types of a fragment function's results
struct Out { float4 c [[color(0)]]; uint m [[stencil]] ; };
fragment Out f(float4 p [[position]]) { Out o; o.c = p; o.m = 1; return o; }

// --- sample_of_16_bits: refused | type 'ushort' is not valid for attribute 'sample_id'
// evidence: Metal Shading Language specification: types of a fragment function's inputs
fragment float4 f(ushort s [[sample_id]]) { return float4(s); }

// --- patch_of_33_points: refused | must be between 0 and 32
// evidence: Metal Shading Language specification: a patch has 0 to 32 control points
struct Point { float3 p [[attribute(0)]]; };
struct Patch { patch_control_point<Point> points; };
[[patch(quad, 33)]] vertex float4 v(Patch in [[stage_in]], float2 at [[position_in_patch]]) { return float4(in.points[0].p, at.x); }

// --- patch_of_32_points: accepted
// evidence: Metal Shading Language specification: a patch has 0 to 32 control points
struct Point { float3 p [[attribute(0)]]; };
struct Patch { patch_control_point<Point> points; };
[[patch(triangle, 32)]] vertex float4 v(Patch in [[stage_in]], float3 at [[position_in_patch]]) { return float4(in.points[0].p, at.x); }

// --- patch_without_a_count: accepted
// evidence: Metal Shading Language specification: the count of control points is optional
struct Point { float3 p [[attribute(0)]]; };
struct Patch { patch_control_point<Point> points; };
[[patch(quad)]] vertex float4 v(Patch in [[stage_in]], float2 at [[position_in_patch]]) { return float4(in.points[0].p, at.x); }

// --- fragment_calls_vertex: refused | call to vertex function
// evidence: Metal Shading Language specification: functions of stages do not call one another
vertex float4 place(uint i [[vertex_id]]) { return float4(i); }
fragment float4 f(float4 p [[position]]) { return place(uint(p.x)); }
