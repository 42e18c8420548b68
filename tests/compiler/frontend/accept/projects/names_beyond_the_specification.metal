// Names of the library that sources in public use.
#include <metal_stdlib>
using namespace metal;
template <size_t... I> float sum_of(device const float* x, index_sequence<I...>) { return (x[I] + ...); }
template <int... I> constexpr int last_of(integer_sequence<int, I...>) { int last = 0; ((last = I), ...); return last; }
static bool is_null(nullptr_t) { return true; }
static bool is_null(device float* at) { return at == nullptr; }
kernel void all(device float* x, device _atomic<int>* a, device _atomic<uint>& b, device bfloat* c, uint i [[thread_position_in_grid]]) {
  threadgroup _atomic<uint> shared;
  if (i == 0) atomic_store_explicit(&shared, 0u, memory_order_relaxed);
  atomic_fetch_add_explicit(&a[i], 1, memory_order_relaxed);
  atomic_fetch_max_explicit(&b, 2u, memory_order_relaxed);
  x[i] = sum_of(x, make_index_sequence<4>()) + float(last_of(make_integer_sequence<int, 3>())) + float(is_null(nullptr)) + float(is_null(x));
  c[i] = x[i] > 1 ? HUGE_VALBF : c[i];
  x[i] = x[i] > 2 ? HUGE_VALF : x[i];
  const half h = x[i] > 3 ? HUGE_VALH : half(0);
  x[i] += float(h);
}
