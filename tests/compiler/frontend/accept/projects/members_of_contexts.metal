// Classes whose members use members of the context in which they stand.
#include <metal_stdlib>
using namespace metal;
struct Globals { constant float* table; uint count; };
struct Context {
  thread const Globals* globals;
  threadgroup float* shared;
  float scale;
  Context(thread const Globals* g, threadgroup float* s) : globals(g), shared(s), scale(2) {}
  float lookup(uint i) const { return i < globals->count ? globals->table[i] * scale : 0.0f; }
  float sum(uint n) const { float s = 0; for (uint i = 0; i < n; ++i) s += lookup(i); return s; }
  void keep(uint i, float x) const { shared[i] = x; }
  template <typename T> T scaled(T x) const { return x * T(scale) + T(lookup(0)); }
  struct Ray { float3 at; float3 along; float3 point(float t) const { return at + t * along; } };
  Ray ray(float x) const { return Ray{float3(x), float3(scale)}; }
  float run(uint i) const {
    struct Each { float operator()(float looked_up, float scale) const { return looked_up + scale; } } each;
    keep(i, each(lookup(i), scale));
    return scaled(sum(i)) + ray(1).point(scale).x + shared[i];
  }
};
kernel void all(constant float* table, constant uint& count, device float* out, threadgroup float* shared [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]]) {
  const Globals globals{table, count};
  const Context context(&globals, shared);
  out[i] = context.run(i);
}
