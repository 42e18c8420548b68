// Structs: copied from and to device memory, nested, with arrays, member functions, templates.
#include <metal_stdlib>
using namespace metal;

struct Inner {
  ushort a;
  uint b;
};
struct Outer {
  float3 at;
  Inner inner[2];
  uchar tail;
  float sum() const { return at.x + at.y + at.z; }
  void scale(float by) { at *= by; }
};

// kernel: copies
// grid: 2
// threadgroup: 2
// in 0: float 1 2 3 91
// in 0: ushort 4 0
// in 0: uint 5
// in 0: ushort 6 0
// in 0: uint 7
// in 0: uchar 8 15*0
// in 0: float 10 20 30 91
// in 0: ushort 40 0
// in 0: uint 50
// in 0: ushort 60 0
// in 0: uint 70
// in 0: uchar 80 15*0
// out 1: float 12 4 5 6 7 8 120 40 50 60 70 80
kernel void copies(device Outer* data [[buffer(0)]], device float* out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  Outer mine = data[i];
  mine.scale(2);
  data[i] = mine;
  const Outer again = data[i];
  out += 6 * i;
  out[0] = again.sum();
  out[1] = again.inner[0].a;
  out[2] = again.inner[0].b;
  out[3] = again.inner[1].a;
  out[4] = again.inner[1].b;
  out[5] = again.tail;
}

template <typename T, uint N>
struct Stack {
  T values[N];
  uint count = 0;
  void push(T v) {
    if (count < N) values[count++] = v;
  }
  T pop() { return values[--count]; }
};

template <typename T>
T twice(T x) {
  return x + x;
}

// kernel: templates
// grid: 3
// threadgroup: 3
// out 0: int 6 12 18
kernel void templates(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Stack<int, 4> stack;
  for (int k = 1; k < 9; ++k) stack.push(k * int(i + 1));
  stack.pop();
  out[i] = twice(stack.pop());
}

// kernel: overloads
// grid: 1
// threadgroup: 1
// out 0: float 3 5 7
static float pick(int) { return 3; }
static float pick(float) { return 5; }
static float pick(float2 x) { return x.y; }
kernel void overloads(device float* out [[buffer(0)]]) {
  out[0] = pick(1);
  out[1] = pick(1.0f);
  out[2] = pick(float2(6, 7));
}
