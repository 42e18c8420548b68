// Functions as values: tables that the host fills, and pointers to functions.
#include <metal_stdlib>
using namespace metal;

[[visible]] float twice(float x) { return 2 * x; }
[[visible]] float next(float x) { return x + 1; }
[[visible]] float none(float) { return 0; }
[[visible]] uint count(uint x) { return x; }

struct Big {
  float4 a;
  float4 b;
};
[[stitchable]] Big both(Big x, float by) { return {x.b * by, x.a * by}; }

// An entry that is empty or beyond the table is no function: the result is zero.
// kernel: from_a_table
// grid: 5
// threadgroup: 5
// in 0: functions twice - next twice
// in 1: uint 0 2 3 1 9
// out 2: float 20 11 20 0 0
kernel void from_a_table(visible_function_table<float(float)> table [[buffer(0)]],
                         device const uint* which [[buffer(1)]], device float* out [[buffer(2)]],
                         uint i [[thread_position_in_grid]]) {
  out[i] = table[which[i]](10);  // expect: out_of_bounds
}

struct Choice {
  visible_function_table<float(float)> table;
  device const float* in;
};

// kernel: from_a_struct
// grid: 2
// threadgroup: 2
// in 0: pointer 20 21
// in 20: functions next
// in 21: float 5 6
// out 1: float 6 7
// out 2: uint 1 0
kernel void from_a_struct(constant Choice& choice [[buffer(0)]], device float* out [[buffer(1)]],
                          device uint* sizes [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  out[i] = choice.table[0](choice.in[i]);
  sizes[0] = choice.table.size();
  sizes[1] = choice.table.empty() || is_null_visible_function_table(choice.table);
}

// kernel: of_structs
// grid: 1
// threadgroup: 1
// in 0: functions both
// in 1: float 1 2 3 4 5 6 7 8
// out 1: float 10 12 14 16 2 4 6 8
kernel void of_structs(visible_function_table<Big(Big, float)> table [[buffer(0)]],
                       device Big& data [[buffer(1)]]) {
  data = table[0](data, 2);
}

static uint sum(uint a, uint b) { return a + b; }
static uint product(uint a, uint b) { return a * b; }
static uint difference(uint a, uint b) { return a - b; }
typedef uint (*Operation)(uint, uint);

static Operation chosen(uint i) {
  if (i % 3 == 0) return sum;
  return i % 3 == 1 ? &product : &difference;
}

// kernel: pointers
// grid: 4
// threadgroup: 4
// out 0: uint 12 20 8 12
kernel void pointers(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const Operation operation = chosen(i);
  out[i] = operation(10, 2);
}

// kernel: array_of_pointers
// in 1: uint 2 1 0 1
// grid: 4
// threadgroup: 4
// out 0: uint 8 20 12 20
kernel void array_of_pointers(device uint* out [[buffer(0)]], device const uint* which [[buffer(1)]],
                              uint i [[thread_position_in_grid]]) {
  const Operation operations[] = {sum, product, difference};
  out[i] = operations[which[i]](10, 2);
}
