// Templates of an operation and a type, instantiated under their host names by nested macros.
#include <metal_stdlib>
using namespace metal;

struct Add { template <typename T> T operator()(T a, T b) { return a + b; } };
struct Maximum { template <typename T> T operator()(T a, T b) { return a > b ? a : b; } };
struct Product { template <typename T> T operator()(T a, T b) { return a * b; } };
struct Select { template <typename T> T operator()(T a, T b) { return a != T(0) ? a : b; } };

template <typename T, typename Op, int N>
[[kernel]] void each(device const T* a [[buffer(0)]], device const T* b [[buffer(1)]], device T* out [[buffer(2)]],
                     constant uint& size [[buffer(3)]], uint index [[thread_position_in_grid]]) {
  for (uint at = index * N; at < min(size, (index + 1) * N); ++at) out[at] = Op()(a[at], b[at]);
}

template <typename T, typename Op, int N>
[[kernel]] void reduce(device const T* a [[buffer(0)]], device T* out [[buffer(1)]], constant uint& size [[buffer(2)]],
                       uint index [[thread_position_in_grid]], uint place [[thread_index_in_threadgroup]],
                       uint group [[threadgroup_position_in_grid]]) {
  threadgroup T partial[256];
  T value = T(0);
  for (uint at = index * N; at < min(size, (index + 1) * N); ++at) value = Op()(value, a[at]);
  partial[place % 256] = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 128; step > 0; step /= 2) {
    if (place < step) partial[place] = Op()(partial[place], partial[place + step]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (place == 0) out[group] = partial[0];
}

#define NAME_(shape, op, type, n) #shape "_" #op "_" #type "_" #n
#define EACH(op, type, n) template [[host_name(NAME_(each, op, type, n))]] [[kernel]] void each<type, op, n>( \
    device const type*, device const type*, device type*, constant uint&, uint);
#define REDUCE(op, type, n) template [[host_name(NAME_(reduce, op, type, n))]] [[kernel]] void reduce<type, op, n>( \
    device const type*, device type*, constant uint&, uint, uint, uint);
#define BOTH(op, type, n) EACH(op, type, n) REDUCE(op, type, n)
#define OPERATIONS(type, n) BOTH(Add, type, n) BOTH(Maximum, type, n) BOTH(Product, type, n) BOTH(Select, type, n)
// For each N, 40 kernels:
OPERATIONS(float, N) OPERATIONS(half, N) OPERATIONS(int, N) OPERATIONS(uint, N) OPERATIONS(short, N)
