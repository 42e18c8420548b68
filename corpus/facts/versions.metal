// Facts: versions. ../README.md explains the lines that begin a source.
// --- position_in_a_simdgroup_before: refused at metal1.2 | 'thread_index_in_simdgroup' attribute requires Metal language standard macos-metal2.0 or higher
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint lane [[thread_index_in_simdgroup]]) { x[lane] = 1; }

// --- position_in_a_simdgroup: accepted at metal2.0
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint lane [[thread_index_in_simdgroup]]) { x[lane] = 1; }

// --- id_before: refused at metal1.2 | 'id' attribute requires Metal language standard macos-metal2.0 or higher
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct Args { float a [[id(1)]]; };
kernel void k(device float* x [[buffer(0)]]) { x[0] = sizeof(Args); }

// --- id: accepted at metal2.0
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct Args { float a [[id(1)]]; };
kernel void k(device float* x [[buffer(0)]]) { x[0] = sizeof(Args); }

// --- limit_before: refused at metal2.0 | attribute requires Metal language standard macos-metal2.1 or higher
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[max_total_threads_per_threadgroup(64)]] kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- limit: accepted at metal2.1
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[max_total_threads_per_threadgroup(64)]] kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- host_name_before: refused at metal2.1 | attribute requires Metal language standard macos-metal2.2 or higher
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[host_name("fill")]] kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- host_name: accepted at metal2.2
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[host_name("fill")]] kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- host_name_of_a_template_before: refused at metal2.1 | attribute requires Metal language standard macos-metal2.2 or higher
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
template <typename T>
kernel void fill(device T* x [[buffer(0)]]) { x[0] = 1; }
template [[host_name("fill_float")]] kernel void fill<float>(device float*);

// --- function_constant_before: refused at metal1.1 | attribute requires Metal language standard macos-metal1.2 or higher
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
constant int n [[function_constant(0)]];
kernel void k(device float* x [[buffer(0)]]) { x[0] = n; }

// --- function_constant: accepted at metal1.2
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
constant int n [[function_constant(0)]];
kernel void k(device float* x [[buffer(0)]]) { x[0] = n; }

// --- visible_before: refused at metal2.2 | attribute requires Metal language standard macos-metal2.3 or higher
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[visible]] float twice(float a) { return 2 * a; }

// --- visible: accepted at metal2.3
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[visible]] float twice(float a) { return 2 * a; }

// --- barycentric_before: refused at metal2.1 | attribute requires Metal language standard macos-metal2.2 or higher
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
fragment float4 f(float3 at [[barycentric_coord]]) { return float4(at, 1); }

// --- barycentric: accepted at metal2.2
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
fragment float4 f(float3 at [[barycentric_coord]]) { return float4(at, 1); }

// --- mesh_before: refused at metal2.4 | attribute requires Metal language standard metal3.0 or higher
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[object]] void o(uint i [[thread_index_in_threadgroup]]) {}

// --- raster_order_before: refused at metal1.2 | attribute requires Metal language standard macos-metal2.0 or higher
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
fragment float4 f(texture2d<float, access::read> t [[texture(0), raster_order_group(0)]]) { return t.read(uint2(0)); }

// --- raster_order: accepted at metal2.0
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
fragment float4 f(texture2d<float, access::read> t [[texture(0), raster_order_group(0)]]) { return t.read(uint2(0)); }

// --- required_threads_before: refused at metal3.2 | attribute requires Metal language standard metal4.0 or higher
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[required_threads_per_threadgroup(8, 8, 1)]] kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- required_threads: accepted at metal4.0
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
[[required_threads_per_threadgroup(8, 8, 1)]] kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- texture_buffer_in_a_struct_before: refused at metal2.0
// evidence: Metal Shading Language specification: first versions of types and functions
struct Args { texture_buffer<float> t [[id(0)]]; };
kernel void k(constant Args& a [[buffer(0)]], device float* x [[buffer(1)]]) { x[0] = a.t.get_width(); }

// --- texture_buffer_in_a_struct: accepted at metal2.1
// evidence: Metal Shading Language specification: first versions of types and functions
struct Args { texture_buffer<float> t [[id(0)]]; };
kernel void k(constant Args& a [[buffer(0)]], device float* x [[buffer(1)]]) { x[0] = a.t.get_width(); }

// --- wide_vector_buffer_before: refused at metal2.2
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device long2* x [[buffer(0)]]) { x[0] = 1; }

// --- wide_vector_buffer: accepted at metal2.3
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device long2* x [[buffer(0)]]) { x[0] = 1; }

// --- named_wide_buffer_before: refused at metal2.2
// evidence: Metal Shading Language specification: first versions of types and functions
typedef ulong Key;
kernel void k(constant Key& x [[buffer(0)]], device uint* y [[buffer(1)]]) { y[0] = uint(x); }

// --- sum_of_a_simdgroup_before: refused at metal2.0 | simd_sum
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_sum(x[i]);
}

// --- sum_of_a_simdgroup: accepted at metal2.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_sum(x[i]);
}

// --- simdgroup_matrix_before: refused at metal2.2
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  simdgroup_half8x8 m;
  x[i] = 1;
}

// --- fill_shuffle_before: refused at metal2.3
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_shuffle_and_fill_down(x[i], 1.0f, ushort(1));
}

// --- fill_shuffle: accepted at metal2.4
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_shuffle_and_fill_down(x[i], 1.0f, ushort(1));
}

// --- add_to_atomic_float_before: refused at metal2.4
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device atomic_float* x [[buffer(0)]]) { atomic_fetch_add_explicit(x, 1.0f, memory_order_relaxed); }

// --- add_to_atomic_float: accepted at metal3.0
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device atomic_float* x [[buffer(0)]]) { atomic_fetch_add_explicit(x, 1.0f, memory_order_relaxed); }

// --- texture_atomics_before: refused at metal3.0
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(texture2d<uint, access::read_write> t [[texture(0)]]) { t.atomic_fetch_add(uint2(0), uint4(1)); }

// --- texture_atomics: accepted at metal3.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(texture2d<uint, access::read_write> t [[texture(0)]]) { t.atomic_fetch_add(uint2(0), uint4(1)); }

// --- bfloat_vector_before: refused at metal3.0 | 'bfloat4'
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat4 v = bfloat4(1);
  x[i] = v.x;
}

// --- bfloat_vector: accepted at metal3.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat4 v = bfloat4(float4(1));
  x[i] = float(v.x);
}

// --- fence_before: refused at metal3.1 | use of undeclared identifier 'atomic_thread_fence'
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  x[i] = 1;
}

// --- fence: accepted at metal3.2
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  x[i] = 1;
}

// --- lambda_before: refused at metal3.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  auto twice = [](float a) { return 2 * a; };
  x[i] = twice(x[i]);
}

// --- logging_header_before: refused at metal3.1
// evidence: Metal Shading Language specification: first versions of types and functions
#include <metal_stdlib>
#include <metal_logging>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { os_log_default.log("%f", x[i]); }

// --- logging_header: accepted at metal3.2
// evidence: Metal Shading Language specification: first versions of types and functions
#include <metal_stdlib>
#include <metal_logging>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { os_log_default.log("%f", x[i]); }

// --- tensor_before: refused at metal3.2
// evidence: Metal Shading Language specification: first versions of types and functions
#include <metal_stdlib>
#include <metal_tensor>
using namespace metal;
kernel void k(tensor<device float, dextents<int, 2>> t [[buffer(0)]], device float* x [[buffer(1)]]) { x[0] = t[0, 0]; }

// --- union_in_a_struct: accepted at metal1.2
// evidence: Metal Shading Language specification: first versions of types and functions
struct Bits {
  union {
    int a;
    float b;
  } u;
};
kernel void k(device float* x [[buffer(0)]]) {
  Bits bits;
  bits.u.b = x[0];
  x[0] = bits.u.a;
}

// --- anonymous_union_before: refused at metal1.1 | unions are not supported in Metal
// evidence: Metal Shading Language specification: first versions of types and functions
struct Bits {
  union {
    int a;
    float b;
  };
};
kernel void k(device float* x [[buffer(0)]]) { x[0] = sizeof(Bits); }

// --- thread_member_at_4_1: refused at metal4.1
// evidence: Metal Shading Language specification 4.1: the generic address space; mlx pull request 3963
struct Sums {
  float a[4];
  thread float& at(short n) { return a[n]; }
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Sums sums;
  sums.at(1) = x[i];
  x[i] = sums.a[1];
}

// --- thread_member_before: accepted at metal4.0
// evidence: Metal Shading Language specification 4.1: the generic address space; mlx pull request 3963
struct Sums {
  float a[4];
  thread float& at(short n) { return a[n]; }
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Sums sums;
  sums.at(1) = x[i];
  x[i] = sums.a[1];
}

// --- thread_object_at_4_1: accepted at metal4.1
// evidence: Metal Shading Language specification 4.1: the generic address space; mlx pull request 3963
struct Sums {
  float a[4];
  thread float& at(short n) thread { return a[n]; }
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Sums sums;
  sums.at(1) = x[i];
  x[i] = sums.a[1];
}

// --- pointer_without_a_space_at_4_1: accepted at metal4.1
// evidence: Metal Shading Language specification 4.1: the generic address space; mlx pull request 3963
float first(const float* a) { return a[0]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float own[2] = {1, 2};
  x[i] = first(own) + first(x);
}

// --- nextafter_before: refused at metal3.0 | nextafter
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = nextafter(x[i], 1.0f); }

// --- nextafter: accepted at metal3.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = nextafter(x[i], 1.0f); }

// --- nextafter_of_halves_before: refused at metal3.0 | nextafter
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device half2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = metal::precise::nextafter(x[i], half2(1.0h)); }

// --- nextafter_of_halves: accepted at metal3.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device half2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = metal::precise::nextafter(x[i], half2(1.0h)); }

// --- median3_before: refused at metal2.0 | median3
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = median3(x[i], 1, 2); }

// --- median3: accepted at metal2.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = median3(x[i], 1, 2); }

// --- max3_before: refused at metal2.0 | max3
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = max3(x[i], 1.0f, 2.0f); }

// --- max3: accepted at metal2.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = max3(x[i], 1.0f, 2.0f); }

// --- min3_before: refused at metal2.0 | min3
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device uint2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = min3(x[i], x[i + 1], x[i + 2]); }

// --- min3: accepted at metal2.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device uint2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = min3(x[i], x[i + 1], x[i + 2]); }

// --- fmedian3_before: refused at metal2.0 | fmedian3
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = fmedian3(x[i], 1.0h, 2.0h); }

// --- fmedian3: accepted at metal2.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = fmedian3(x[i], 1.0h, 2.0h); }

// --- fmax3_before: refused at metal2.0 | fmax3
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = fmax3(x[i], x[i + 1], x[i + 2]); }

// --- fmax3: accepted at metal2.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = fmax3(x[i], x[i + 1], x[i + 2]); }

// --- fmin3_before: refused at metal2.0 | fmin3
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = fmin3(x[i], 1.0f, 2.0f); }

// --- fmin3: accepted at metal2.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = fmin3(x[i], 1.0f, 2.0f); }

// --- mul24_before: refused at metal2.0 | mul24
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = mul24(x[i], 3); }

// --- mul24: accepted at metal2.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = mul24(x[i], 3); }

// --- mad24_before: refused at metal2.0 | mad24
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device uint3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = mad24(x[i], x[i], x[i]); }

// --- mad24: accepted at metal2.1
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device uint3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = mad24(x[i], x[i], x[i]); }

// --- own_median3: accepted at metal2.0
// evidence: Metal Shading Language specification: first versions of types and functions
int median3(int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); }
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = median3(x[i], 1, 2); }

// --- extract_bits_before: refused at metal1.1 | extract_bits
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = extract_bits(x[i], 4, 8); }

// --- extract_bits: accepted at metal1.2
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = extract_bits(x[i], 4, 8); }

// --- insert_bits_before: refused at metal1.1 | insert_bits
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device int2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = insert_bits(x[i], x[i + 1], 4, 8); }

// --- insert_bits: accepted at metal1.2
// evidence: Metal Shading Language specification: first versions of types and functions
kernel void k(device int2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = insert_bits(x[i], x[i + 1], 4, 8); }

// --- component_of_a_packed_vector_before: refused at metal2.0 | components of packed vectors need metal2.1
// evidence: Metal Shading Language specification: components of packed vectors
kernel void k(device packed_float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i].x = 1.0f; }

// --- component_of_a_packed_vector: accepted at metal2.1
// evidence: Metal Shading Language specification: components of packed vectors
kernel void k(device packed_float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i].x = 1.0f; }

// --- swizzle_of_a_packed_vector_before: refused at metal2.0 | components of packed vectors need metal2.1
// evidence: Metal Shading Language specification: components of packed vectors
kernel void k(device packed_half4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i].xy = half2(1.0h); }

// --- swizzle_of_a_packed_vector: accepted at metal2.1
// evidence: Metal Shading Language specification: components of packed vectors
kernel void k(device packed_half4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i].xy = half2(1.0h); }

// --- index_of_a_packed_vector: accepted at metal2.0
// evidence: Metal Shading Language specification: components of packed vectors
kernel void k(device packed_float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i][0] = float3(x[i + 1]).y; }

// --- matrix_of_scalars_before: refused at metal1.2
// evidence: Metal Shading Language specification: constructors of matrices
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float2x2(1.0f, 0.0f, 2.0f, 1.0f) * x[i]; }

// --- matrix_of_scalars: accepted at metal2.0
// evidence: Metal Shading Language specification: constructors of matrices
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float2x2(1.0f, 0.0f, 2.0f, 1.0f) * x[i]; }

// --- matrix_of_columns: accepted at metal1.2
// evidence: Metal Shading Language specification: constructors of matrices
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float2x2(float2(1.0f, 0.0f), x[i]) * x[i]; }

// --- matrix_of_a_diagonal: accepted at metal1.2
// evidence: Metal Shading Language specification: constructors of matrices
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float2x2(2.0f) * x[i]; }

// --- intersection_query_before: refused at metal2.3 | intersection_query
// evidence: Metal Shading Language specification: ray tracing
kernel void k(raytracing::primitive_acceleration_structure s [[buffer(0)]], device float* x [[buffer(1)]]) {
  raytracing::intersection_query<raytracing::triangle_data> q;
  q.reset(raytracing::ray(), s, raytracing::intersection_params());
  x[0] = q.get_committed_distance();
}

// --- intersection_query: accepted at metal2.4
// evidence: Metal Shading Language specification: ray tracing
kernel void k(raytracing::primitive_acceleration_structure s [[buffer(0)]], device float* x [[buffer(1)]]) {
  raytracing::intersection_query<raytracing::triangle_data> q;
  q.reset(raytracing::ray(), s, raytracing::intersection_params());
  x[0] = q.get_committed_distance();
}

// --- coherence_of_a_texture_before: refused at metal3.1 | memory_coherence_device
// evidence: Metal Shading Language specification: textures
kernel void k(texture2d<float, access::read_write, memory_coherence_device> t [[texture(0)]]) { t.write(float4(1), uint2(0)); }

// --- coherence_of_a_texture: accepted at metal3.2
// evidence: Metal Shading Language specification: textures
kernel void k(texture2d<float, access::read_write, memory_coherence_device> t [[texture(0)]]) { t.write(float4(1), uint2(0)); }

// --- position_at_program_scope_before: refused at metal3.0 | positions at program scope need metal3.1
// evidence: Metal Shading Language specification: variables at program scope
uint3 place [[threadgroup_position_in_grid]];
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = place.x; }

// --- position_at_program_scope: accepted at metal3.1
// evidence: Metal Shading Language specification: variables at program scope
uint3 place [[threadgroup_position_in_grid]];
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = place.x; }

// --- constant_position_at_program_scope_before: refused at metal3.0 | positions at program scope need metal3.1
// evidence: Metal Shading Language specification: variables at program scope
const uint place [[thread_position_in_grid]];
kernel void k(device uint* x [[buffer(0)]]) { x[place] = 1; }

// --- constant_position_at_program_scope: accepted at metal3.1
// evidence: Metal Shading Language specification: variables at program scope
const uint place [[thread_position_in_grid]];
kernel void k(device uint* x [[buffer(0)]]) { x[place] = 1; }

// --- buffer_at_program_scope_before: refused at metal3.1 | bindings at program scope need metal3.2
// evidence: Metal Shading Language specification: variables at program scope
device float* constant data [[buffer(0)]];
kernel void k(uint i [[thread_position_in_grid]]) { data[i] *= 2.0f; }

// --- buffer_at_program_scope: accepted at metal3.2
// evidence: Metal Shading Language specification: variables at program scope
device float* constant data [[buffer(0)]];
kernel void k(uint i [[thread_position_in_grid]]) { data[i] *= 2.0f; }

// --- constants_at_program_scope_before: refused at metal3.1 | bindings at program scope need metal3.2
// evidence: Metal Shading Language specification: variables at program scope
struct P { float a; };
constant P* constant p [[buffer(1)]];
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = p->a; }

// --- constants_at_program_scope: accepted at metal3.2
// evidence: Metal Shading Language specification: variables at program scope
struct P { float a; };
constant P* constant p [[buffer(1)]];
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = p->a; }

// --- texture_at_program_scope_before: refused at metal3.1 | bindings at program scope need metal3.2
// evidence: Metal Shading Language specification: variables at program scope
texture2d<float> image [[texture(0)]];
sampler how [[sampler(0)]];
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = image.sample(how, float2(0.5f)); }

// --- texture_at_program_scope: accepted at metal3.2
// evidence: Metal Shading Language specification: variables at program scope
texture2d<float> image [[texture(0)]];
sampler how [[sampler(0)]];
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = image.sample(how, float2(0.5f)); }
