// Braced lists for arguments of templates and of functions whose names the library has, too.
#include <metal_stdlib>
using namespace metal;
struct Interval { float low, high; };
template <typename T> Interval both(T scale, Interval by) { return {by.low * scale, by.high * scale}; }
template <typename T, int N> struct Window { T at[N]; };
template <typename T> T widest(Window<T, 2> w, T otherwise) { return max(w.at[1] - w.at[0], otherwise); }
bool isequal(float3 a, float3 b) { return all(a == b); }
float distance_of(float2 a, float2 b = {0, 0}) { return distance(a, b); }
struct Scene {
  bool isequal(float a, float b) const { return a == b; }
  bool same(float a) const { return isequal(a, a); }
};
template <typename T> struct Span { T first, last; template <typename U> bool holds(U x, Interval by) const { return x >= by.low && x <= by.high; } };
template <typename T> T in(Span<T> s, float2 by, int2 at = {0, 1}) { return s.first * by.x + s.last * by[at.y]; }
struct Disc { float2 at; Disc(float2 p) : at(p) {} };
template <typename T> struct Holder { T value; Holder(T v) : value(v) {} Holder(T v, int n) : value(v * n) {} };
float away(Disc disc, Holder<float3> by) { return length(disc.at) + by.value.z; }
Interval whole() { return {-INFINITY, INFINITY}; }
kernel void all_of(device float* x, device float3* y, uint i [[thread_position_in_grid]]) {
  const Interval a = both(x[i], {-1.f, 1.f});
  x[i] = in(Span<float>{1, 2}, {x[i], 3}) + in<float>({1, 2}, {1, 2}, {0, 0}) + float(Span<int>{1, 2}.holds(x[i], {0.f, 1.f}));
  x[i] += away(Disc({1, 2}), Holder<float3>({1, 2, 3})) + Holder<half4>({1, 2, 3, 4}, 2).value.w;
  x[i] += a.low + widest<float>({{1, 2}}, 0.5f) + float(::isequal(y[i], y[0])) + distance_of({1, 2}) + float(Scene().same(1)) + whole().low;
}
