// Structs in device memory that hold pointers: members, arrays, nested structs, chains, tables.
#include <metal_stdlib>
using namespace metal;

struct Pair {
  device const float* a [[id(0)]];
  device float* b [[id(1)]];
  float scale [[id(2)]];
};

// kernel: two_pointers
// grid: 4
// threadgroup: 4
// in 0: pointer 7 8
// in 0: float 10 0
// in 7: float 1 2 3 4
// out 8: float 10 20 30 40
kernel void two_pointers(constant Pair& args [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  args.b[i] = args.scale * args.a[i];
}

// The struct is copied; an offset leads into a buffer.
// kernel: copied
// grid: 4
// threadgroup: 4
// in 0: pointer 7+4 8
// in 0: float 10 0
// in 7: float 99 1 2 3 4
// out 8: float 10 20 30 40
kernel void copied(device const Pair* args [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const Pair mine = args[0];
  mine.b[i] = mine.scale * mine.a[i];
}

struct Inner {
  constant float4* rows;
  uint count;
};
struct Outer {
  uint first;
  Inner inner;
  device uint* lists[3];
  array<device int*, 2> more;
};

// kernel: nested
// grid: 3
// threadgroup: 3
// in 1: uint 5 0
// in 1: pointer 20
// in 1: uint 2 0
// in 1: pointer 21 22 23 24 25
// in 20: float 1 2 3 4 5 6 7 8
// in 21: uint 100
// in 22: uint 200
// in 23: uint 300
// in 24: int -1 -2 -3
// out 25: int 110 210 310
kernel void nested(constant Outer& args [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint row = 0; row < args.inner.count; ++row) sum += args.inner.rows[row].x;
  args.more[1][i] = int(sum) + int(args.first) + int(args.lists[i][0]) + args.more[0][i] + int(i);
}

// A list: each node points to the next.
struct Node {
  device Node* next;
  uint value;
  uint pad;
};

// kernel: chain
// grid: 2
// threadgroup: 2
// in 0: pointer 30 31
// in 30: pointer 31
// in 30: uint 1 0
// in 31: pointer 32+16
// in 31: uint 20 0
// in 32: uint 77 77 77 77
// in 32: ulong 0
// in 32: uint 300 0
// out 1: uint 321 320
struct Head {
  device Node* first;
};

kernel void chain(constant Head* heads [[buffer(0)]], device uint* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  uint sum = 0;
  for (device const Node* node = heads[i].first; node; node = node->next) sum += node->value;
  out[i] = sum;
}

// One struct for each item, chosen by each thread.
struct Item {
  constant uint* data;
  uint offset;
  uint length;
};

// kernel: bindless
// grid: 4
// threadgroup: 4
// in 0: pointer 40
// in 0: uint 1 2
// in 0: pointer 41
// in 0: uint 0 3
// in 1: uint 1 0 1 0
// in 40: uint 9 10 20
// in 41: uint 1 2 3
// out 2: uint 6 30 6 30
kernel void bindless(constant Item* items [[buffer(0)]], device const uint* which [[buffer(1)]],
                     device uint* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  constant Item& item = items[which[i]];
  uint sum = 0;
  for (uint k = 0; k < item.length; ++k) sum += item.data[item.offset + k];
  out[i] = sum;
}

struct Values {
  device const uint* first;
};

// Pointers that threads choose, in a private array.
// kernel: chosen
// grid: 4
// threadgroup: 4
// in 0: pointer 50 51
// in 50: uint 1 2 3 4
// in 51: uint 10 20 30 40
// out 1: uint 10 2 30 4
kernel void chosen(device const Values* table [[buffer(0)]], device uint* out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  device const uint* mine[2] = {table[1].first, table[0].first};
  out[i] = mine[i % 2][i];
}

// One buffer, bound and pointed to: the kernel sees its own writes through both.
// kernel: aliased
// grid: 1
// threadgroup: 1
// in 0: pointer 1
// in 1: uint 1 2
// out 1: uint 5 7
struct Other {
  device uint* values;
};

kernel void aliased(constant Other& other [[buffer(0)]], device uint* out [[buffer(1)]]) {
  out[0] = 5;
  out[1] = other.values[0] + 2;
}

struct Place {
  device const uint* from;
};

// Pointers in threadgroup memory.
// kernel: shared_pointers
// grid: 32
// threadgroup: 32
// in 0: pointer 60 61
// in 60: uint 100
// in 61: uint 200
// out 1: uint 16*100 16*200
kernel void shared_pointers(device const Values* table [[buffer(0)]],
                            device uint* out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  threadgroup Place both[2];
  if (i < 2) both[i].from = table[i].first;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = *both[i / 16].from;
}

// Pointers that threads store, and read back.
struct Slot {
  device uint* to;
};

// kernel: stores
// grid: 4
// threadgroup: 4
// in 0: ulong 0 0 0 0
// in 1: uint 3 2 1 0
// out 2: uint 0 1 2 3
kernel void stores(device Slot* slots [[buffer(0)]], device uint* values [[buffer(1)]],
                   device uint* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  slots[i].to = values + (3 - i);
  threadgroup_barrier(mem_flags::mem_device);
  out[i] = *slots[i].to;
}
