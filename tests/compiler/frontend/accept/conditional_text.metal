// Braces in text that the preprocessor drops, heads of functions under conditions, keywords in macros.
#include <metal_stdlib>
using namespace metal;

#if 0
void dropped() {
#endif
#define WIDE 1
#if WIDE
inline float one(float x)
#else
inline float one(float x, float y) {
#endif
#if WIDE
{
#endif
  return x;
}
#define DEFINE_NOTHING(name)
DEFINE_NOTHING(some)
#define SC static constant constexpr const
SC int tile = 4;
#define FC constant
FC int width [[function_constant(0)]];
constant bool quick [[function_constant(1)]];
static constant int height [[function_constant(2)]];

kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float line[tile];
  threadgroup float zeros[32] = {0};
  line[i % tile] = one(x[i]);
  zeros[i % 32] = 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = quick ? line[0] * width : zeros[0] * height;
}
