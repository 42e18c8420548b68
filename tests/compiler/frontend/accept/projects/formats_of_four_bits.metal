// language: metal4.0
// Formats of 4 and 2 bits, and lengths of tensor operations.
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
#include <metal_stdlib>
#include <metal_tensor>
using namespace metal;
template <typename T> struct bits { static constant constexpr int value = 8; };
template <> struct bits<int4b_format> { static constant constexpr int value = 4; };
template <> struct bits<uint2b_format> { static constant constexpr int value = 2; };
using format = conditional_t<true, uint4b_format, int2b_format>;
static_assert(is_same_v<format, metal::uint4b_format>, "");
constexpr constant auto any_length = mpp::tensor_ops::dynamic_length_v<int>;
kernel void all(device int* out) { out[0] = bits<int4b_format>::value + bits<uint2b_format>::value + int(is_same_v<format, int2b_format>); out[1] = any_length; }
