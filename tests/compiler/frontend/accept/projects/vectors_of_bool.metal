// Vectors of bool where T is deduced from vec<T, N>, and vec<T, N> where T is bool.
#include <metal_stdlib>
using namespace metal;
// A scalar and a vector overload, as a translator of GLSL writes them.
template <typename T> bool equal(T u, T v) { return u == v; }
template <typename T, int N> bool equal(metal::vec<T, N> u, metal::vec<T, N> v) { return all(u == v); }
// A width of its own; the body would not do for bool.
template <typename T> T first(vec<T, 2> v) { return v.x; }
template <typename T> float first(vec<T, 3> v) { return length(v); }
// Partial specialisations.
template <typename V> struct shape { static constexpr constant int width = 1; };
template <typename T, int N> struct shape<vec<T, N>> { static constexpr constant int width = N; using element = T; T keep; };
template <typename T> struct shape<metal::vec<T, 2>> { static constexpr constant int width = 2; static T sum(vec<T, 2> v) { return v.x + v.y; } static float size(vec<T, 2> v) { return length(v); } };
template <typename V> constexpr constant bool is_pair = false;
template <typename T> constexpr constant bool is_pair<vec<T, 2>> = true;
// References and pointers in spaces, operators, members and constructors.
template <typename T, int N> void put(device vec<T, N>& to, const thread vec<T, N>& from) { to = from; }
template <typename T, int N> T last(const device vec<T, N>* v) { return v[0][N - 1]; }
struct Fold {
  template <typename T, int N> T operator()(vec<T, N> v) const { T r = v[0]; for (int i = 1; i < N; ++i) r = r | v[i]; return r; }
  template <typename T> void put(device vec<T, 2>& a, vec<T, 2> b) const;
};
template <typename T> void Fold::put(device vec<T, 2>& a, vec<T, 2> b) const { a = b; }
template <typename T, int N> struct Sum { vec<T, N> at; Sum(vec<T, N> v) : at(v) {} template <typename U> Sum(vec<U, N> v, U) : at(vec<T, N>(v)) {} };
// Two parameters; a result that nothing deduces.
template <typename T, typename U> vec<T, 2> pick(vec<U, 2> c, vec<T, 2> v) { return vec<T, 2>(c.x ? v.x : v.y, c.y ? v.y : v.x); }
template <typename T, typename U, int N> vec<T, N> cast(vec<U, N> v) { return vec<T, N>(v); }
template <typename T, int N> METAL_FUNC vec<T, N> reversed(vec<T, N> v) { vec<T, N> r; for (int i = 0; i < N; ++i) r[i] = v[N - 1 - i]; return r; }
template <typename T> metal::vec<T, 4> splat(T x) { return metal::vec<T, 4>(x); }
template <typename T> T swizzled(vec<T, 4> x, T otherwise, int s) { switch (s) { case 0: return x.r; case 1: return x.a; default: return otherwise; } }
template <class T, int N, typename = enable_if_t<is_floating_point_v<T>>> vec<T, N> halved(vec<T, N> v) { return v / T(2); }
template <typename T> struct Tile { vec<T, 4> at; vec<T, 4> row(uint i) const; };
template <typename T> vec<T, 4> Tile<T>::row(uint i) const { return at; }
template <typename T> kernel void fill(device vec<T, 4>* out [[buffer(0)]], constant vec<T, 4>& v [[buffer(1)]], uint i [[thread_position_in_grid]]) { out[i] = v; }
template [[host_name("fill_bool")]] kernel void fill<bool>(device bool4*, constant bool4&, uint);
template [[host_name("fill_float")]] kernel void fill<float>(device float4*, constant float4&, uint);
static_assert(is_same_v<metal::vec<bool, 3>, bool3>, "");
static_assert(is_same_v<shape<bool4>::element, bool>, "");
kernel void all_of(device float4* x [[buffer(0)]], device bool4* b [[buffer(1)]], device bool2* c [[buffer(2)]], device float* out [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  const bool4 m = x[i] > 0.0f, n = b[i];
  bool2 two = m.xy;
  out[0] = equal(m, n) + equal(two, n.zw) + equal(x[i], x[i + 1]) + equal(1, 2) + equal(x[i] > 1.0f, x[i + 1] > 0.0f);
  out[1] = first(two) + first(x[i].xyz) + first<bool>(two);
  out[2] = shape<bool4>::width + shape<float3>::width + shape<bool2>::sum(two) + shape<float2>::size(x[i].xy) + is_pair<bool2> + is_pair<float2>;
  put(b[i], m); put(x[i + 2], x[i]); put(c[0], two);
  out[3] = last(b) + last(x) + Fold()(m) + Fold()(uint2(1, 2)) + Sum<bool, 2>(two).at.x + Sum<float, 2>(x[i].xy, 1.0f).at.y;
  Fold().put(c[1], two);
  out[4] = pick(two, x[i].xy).x + pick(two, two).y + cast<float>(two).x + cast<bool>(x[i]).w + cast<bool>(two).yx.x + halved(x[i]).x;
  const bool4 r = reversed(m);
  const bool4 s = splat(true);
  Tile<bool> tile;
  tile.at = bool4(two, r.zy.x, false);
  metal::vec<bool, 4> t = tile.row(0);
  t.g = !t.r;
  t.xw = metal::vec<bool, 2>(s.x, r.w);
  out[5] = r.x + s.y + all(splat(m.x)) + t.z + tile.at.w + swizzled(x[i], 1.0f, 0) + swizzled(m, true, 1);
}
// Through an alias.
template <typename T> using four = vec<T, 4>;
template <typename T> struct Rows { four<T> first; four<T> other(four<T> v) const { four<T> r = v; return r; } };
template <class U> using pair_of = metal::vec<U, 2>;
template <typename T> T least(four<T> v) { return v.x && v.w; }
template <typename T> float least(pair_of<T> v) { return length(v); }
template <typename V> struct widths { static constexpr constant int of = 1; };
template <typename T> struct widths<four<T>> { static constexpr constant int of = 4; pair_of<T> two; four<T> all[2]; };
kernel void aliased(device bool4* b [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Rows<bool> rows;
  rows.first = b[i];
  b[i] = rows.other(rows.first);
  b[i + 1] = four<bool>(b[i]);
  b[i + 2].x = least(b[i]) && widths<bool4>::of == 4;
}
