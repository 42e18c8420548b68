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
