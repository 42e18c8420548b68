// Program-scope constants: scalars, arrays, vectors, structs, arrays of arrays, and one through a pointer.
#include <metal_stdlib>
using namespace metal;

constant float scale = 0.5f;
constant uint primes[] = {2, 3, 5, 7, 11};
constant float3 axes[3] = {float3(1, 2, 3), float3(4, 5, 6), float3(7, 8, 9)};
constant uchar small[3] = {250, 251, 252};
constant half halves[2] = {1.5h, -2.0h};
struct Step {
  int2 by;
  float weight;
  bool last;
};
constant Step steps[2] = {{int2(1, -1), 0.25f, false}, {int2(-3, 2), 4.0f, true}};
constant int grid[2][3] = {{1, 2, 3}, {-1, -2, -3}};
constexpr constant uint doubled = 2 * 21;

// kernel: tables
// grid: 2
// threadgroup: 2
// out 0: float 0.5 2 1 2 3 250 1.5 1 -1 0.25 0 1 42
// out 0: float 0.5 3 4 5 6 251 -2 -3 2 4 1 -2 42
kernel void tables(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out += 13 * i;
  out[0] = scale;
  out[1] = primes[i];
  out[2] = axes[i].x;
  out[3] = axes[i].y;
  out[4] = axes[i].z;
  out[5] = small[i];
  out[6] = halves[i];
  out[7] = steps[i].by.x;
  out[8] = steps[i].by.y;
  out[9] = steps[i].weight;
  out[10] = steps[i].last;
  out[11] = grid[i][i];
  out[12] = doubled;
}

static uint at(constant uint* table, uint i) { return table[i]; }
static float length_of(constant float3& v) { return dot(v, v); }

// kernel: by_pointer
// grid: 5
// threadgroup: 5
// out 0: float 2 3 5 7 11
// out 1: float 5*77
kernel void by_pointer(device float* out [[buffer(0)]], device float* lengths [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  out[i] = at(primes, i);
  lengths[i] = length_of(axes[1]);
}

// kernel: one_of_two
// grid: 4
// threadgroup: 4
// out 0: int 1 -2 3 -1
kernel void one_of_two(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constant int* row = grid[i & 1];
  out[i] = row[i % 3];
}
