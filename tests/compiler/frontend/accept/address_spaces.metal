// Members of an address space, pointers between spaces, arrays in them.
#include <metal_stdlib>
using namespace metal;

template <typename T, size_t N>
struct fixed_array {
  const constant T& operator[](size_t i) const constant { return elements[i]; }
  device T& operator[](size_t i) device { return elements[i]; }
  const device T& operator[](size_t i) const device { return elements[i]; }
  thread T& operator[](size_t i) thread { return elements[i]; }
  const thread T& operator[](size_t i) const thread { return elements[i]; }
  threadgroup T& operator[](size_t i) threadgroup { return elements[i]; }
  const threadgroup T& operator[](size_t i) const threadgroup { return elements[i]; }
  T elements[N];
};

// One that copies by hand, as generators of code write it.
template <typename T, int N>
struct storage {
  T values[N];
  storage() thread = default;
  storage() device = default;
  storage(const thread array<T, N>& all) thread {
    for (int i = 0; i < N; ++i) values[i] = all[i];
  }
  storage(const device array<T, N>& all) thread {
    for (int i = 0; i < N; ++i) values[i] = all[i];
  }
  storage(const thread array<T, N>& all) device {
    for (int i = 0; i < N; ++i) values[i] = all[i];
  }
  device storage& operator=(const thread array<T, N>& all) device {
    for (int i = 0; i < N; ++i) this->values[i] = all[i];
    return *this;
  }
  thread storage& operator=(const thread array<T, N>& all) thread {
    for (int i = 0; i < N; ++i) this->values[i] = all[i];
    return *this;
  }
  threadgroup storage& operator=(const thread array<T, N>& all) threadgroup {
    for (int i = 0; i < N; ++i) this->values[i] = all[i];
    return *this;
  }
  threadgroup storage& operator=(const device array<T, N>& all) threadgroup {
    for (int i = 0; i < N; ++i) this->values[i] = all[i];
    return *this;
  }
  thread storage& operator=(const thread storage& other) thread = default;
  thread storage& operator=(const device storage& other) thread = default;
  threadgroup storage& operator=(const thread storage& other) threadgroup = default;
  threadgroup storage& operator=(const device storage& other) threadgroup = default;
  operator array<T, N>() const device {
    array<T, N> all;
    for (int i = 0; i < N; ++i) all[i] = values[i];
    return all;
  }
};

struct Block {
  fixed_array<float4, 4> rows;
  fixed_array<fixed_array<int, 2>, 3> nested;
  storage<float, 2> stored;
  float sum() const { return rows[0].x; }
};
struct Arguments {
  device Block* blocks;
  constant float* factors;
  threadgroup int* scratch;
};

float read(device const float* p) { return *p; }
float read(constant float* p) { return *p; }
float read(threadgroup const float* p) { return *p; }
float read(thread const float* p) { return *p; }
void fill(threadgroup float tile[4][8], threadgroup int flags[2], thread float values[4], float x) {
  tile[1][2] = values[0] = x;
  flags[0] = 1;
}
void swap(thread float& a, thread float& b) {
  float c = a;
  a = b;
  b = c;
}
template <typename T>
T first(const device T* p) {
  return p[0];
}

kernel void spaces(device Block* blocks [[buffer(0)]], constant Block& fixed [[buffer(1)]],
                   constant float* factors [[buffer(2)]], threadgroup float* dynamic [[threadgroup(0)]],
                   uint i [[thread_position_in_grid]]) {
  threadgroup float tile[4][8];
  threadgroup int flags[2];
  threadgroup Block shared;
  threadgroup float4 one;
  thread float local[4] = {1, 2, 3, 4};
  if (i == 0) {
    threadgroup float inner[8];
    inner[i] = 1;
    threadgroup float* chosen = i ? dynamic : inner;
    chosen[1] = 2;
  }
  fill(tile, flags, local, 3);
  swap(local[0], local[1]);
  Block copy = blocks[i];
  shared = copy;
  one = copy.rows[1];
  blocks[i] = shared;
  device float4& row = blocks[i].rows[2];
  device int* nested = &blocks[i].nested[1][0];
  constant float4& fixed_row = fixed.rows[0];
  row = fixed_row + shared.rows[1] + copy.sum() + one;
  nested[1] = fixed.nested[2][1];
  const array<float, 2> pair = blocks[i].stored;
  blocks[i].stored = pair;
  shared.stored = pair;
  shared.stored = storage<float, 2>(pair);
  storage<float, 2> kept = shared.stored;
  kept = blocks[i].stored;
  const Arguments arguments = {.blocks = blocks, .factors = factors, .scratch = flags};
  arguments.blocks[0].rows[0] = read(arguments.factors) + read(dynamic) + read(local) +
                                read(reinterpret_cast<device float*>(blocks)) + first(factors ? &row : &row);
  device float* view = (device float*)blocks + 4;
  *view = as_type<float>(arguments.scratch[0]);
}

// Attributes before and behind the space of an array.
kernel void aligned(device float* x [[buffer(0)]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup __attribute__((aligned(16))) float tile[64];
  alignas(16) threadgroup float4 row[8];
  tile[t] = x[t];
  row[t & 7] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[63 - t] + row[0].x;
}
