// Conditions that do not hold, and some that do.
#include <metal_stdlib>
using namespace metal;

// kernel: beyond_the_length
// grid: 40
// threadgroup: 40
// in 0: uint 40*1
// in 1: uint 33
kernel void beyond_the_length(device uint* x [[buffer(0)]], constant uint& length [[buffer(1)]],
                              uint i [[thread_position_in_grid]]) {
  assert(i < length);  // expect: assertion_failed
  x[i] += length;
}

// kernel: in_every_thread
// grid: 8
// threadgroup: 4
// in 0: float 8*-1
kernel void in_every_thread(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  assert(x[i] >= 0 && "a root of what is negative");  // expect: assertion_failed
  x[i] = sqrt(max(x[i], 0.0f));
}

static float root(float x) {
  assert(x > 1);  // expect: assertion_failed
  return sqrt(x);
}

template <typename T>
T half_of(T x) {
  assert(x % 2 == 0);  // expect: assertion_failed
  return x / 2;
}

// kernel: in_helpers
// grid: 8
// threadgroup: 8
// in 0: float 0..7
// in 1: int 1 3 5 7 9 11 13 15
kernel void in_helpers(device float* x [[buffer(0)]], device int* y [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  if (i == 1) x[i] = root(x[i]);
  y[i] = half_of(y[i]);
}

#define CHECK(condition) assert(condition)

// kernel: in_a_macro_and_a_loop
// grid: 4
// threadgroup: 4
// in 0: int 4*5
kernel void in_a_macro_and_a_loop(device int* x [[buffer(0)]],
                                  uint i [[thread_position_in_grid]]) {
  for (int k = 0; k < x[i]; ++k) CHECK(k + int(i) < 7);  // expect: assertion_failed
  x[i] = 0;
}

// kernel: under_a_condition
// grid: 4
// threadgroup: 4
// in 0: int 4*5
// in 1: int 0
kernel void under_a_condition(device int* x [[buffer(0)]], constant int& strict [[buffer(1)]],
                              uint i [[thread_position_in_grid]]) {
  if (strict) assert(x[i] == 0);
  assert(x[i] == 5);
  threadgroup int tile[4];
  tile[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  assert(tile[3 - i] == 5);
  assert(tile[3 - i] == 5 - int(i == 2));  // expect: assertion_failed
  x[i] = tile[3 - i];
}

constexpr int third_of(int x) {
  assert(x % 3 == 0);
  return x / 3;
}
constant int table[third_of(6)] = {1, 2};

// kernel: known_when_compiled
// grid: 2
// threadgroup: 2
// in 0: int 2*0
kernel void known_when_compiled(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = table[i];
  assert(true);
  if (i > 7) assert(false);
  assert(&x[i] != nullptr);
  if (x[i] == 2) assert(!"the answer");  // expect: assertion_failed
}
