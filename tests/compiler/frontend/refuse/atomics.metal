// Atomic functions take atomic objects, and these take nothing else.
#include <metal_stdlib>
using namespace metal;

kernel void atomics(device uint* plain [[buffer(0)]], device atomic_uint* a [[buffer(1)]],
                    device atomic_float* f [[buffer(2)]], constant atomic_uint& c [[buffer(3)]]) {
  atomic_fetch_add_explicit(plain, 1, memory_order_relaxed);  // expect: no matching function for call to 'atomic_fetch_add_explicit'
  atomic_fetch_and_explicit(f, 1.0f, memory_order_relaxed);  // expect: no matching function for call to 'atomic_fetch_and_explicit'
  atomic_fetch_add_explicit(a, 1);  // expect: no matching function for call to 'atomic_fetch_add_explicit'
  a[0] = 1;  // expect: no viable overloaded '='
  a[0] += 1;  // expect: no viable overloaded '+='
  uint x = a[0];  // expect: no viable conversion
  atomic_store_explicit(&c, 1, memory_order_relaxed);  // expect: no matching function for call to 'atomic_store_explicit'
  atomic_uint copy = a[1];  // expect: call to deleted constructor
}
