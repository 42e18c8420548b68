// language: metal4.0
#include <metal_stdlib>
#include <metal_tensor>
using namespace metal;

#ifdef __HAVE_INT4B_FORMAT_TYPE__
using element = conditional_t<true, int4b_format, uint4b_format>;
static_assert(is_same_v<element, metal::int4b_format> && !is_same_v<int2b_format, uint2b_format>, "four types");
#endif
kernel void k(device uint* out) { out[0] = is_same_v<element, int4b_format>; }
