// Macros and names that sources ask for. README.md explains the lines that begin a source.
// --- bfloat_constants: metal3.1.. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(device bfloat* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = i == 0 ? M_PI_BF : i == 1 ? MAXBFLOAT : M_SQRT1_2_BF;
}

// --- logic_of_traits: metal2.0.. | 'negation'
#include <metal_stdlib>
using namespace metal;
template <typename T>
using number = conjunction<is_arithmetic<T>, negation<is_same<T, bool>>>;
kernel void k(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = number<int>::value && !number<bool>::value && disjunction<is_same<int, bool>, is_same<int, int>>::value;
}

// --- ray_tracing_is_asked_for: metal2.3.. | no ray tracing
#include <metal_stdlib>
#if !defined(__HAVE_RAYTRACING__) || !defined(__HAVE_IMAGEBLOCKS__) || !__HAVE_SIMDGROUP_MATRIX__
#error no ray tracing
#endif

// --- mesh_is_asked_for: metal3.0.. | no meshes
#include <metal_stdlib>
#ifndef __HAVE_MESH__
#error no meshes
#endif

// --- texture_buffer_is_asked_for: metal2.1.. | no texture buffers
#include <metal_stdlib>
#ifndef __HAVE_TEXTURE_BUFFER__
#error no texture buffers
#endif

// --- tensor_is_asked_for: metal4.0.. | no tensors
#include <metal_stdlib>
#if !__HAVE_TENSOR__
#error no tensors
#endif

// --- scopes_have_numbers: ..
#include <metal_stdlib>
using namespace metal;
static_assert(thread_scope_device == __METAL_MEMORY_SCOPE_DEVICE__ && __METAL_MEMORY_SCOPE_DEVICE__ == 2, "as measured");
static_assert(int(mem_flags::mem_texture) == __METAL_MEMORY_FLAGS_TEXTURE__, "as measured");
static_assert(int(memory_order_relaxed) == __METAL_MEMORY_ORDER_RELAXED__, "as measured");

// --- dynamic_length: metal4.0.. | 'mpp'
#include <metal_stdlib>
#include <metal_tensor>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace mpp::tensor_ops;
constexpr constant auto sizes = matmul2d_descriptor(16, 16, dynamic_length_v<int>);
static_assert(dynamic_length<int>::value == dynamic_length_v<int>, "one value");
