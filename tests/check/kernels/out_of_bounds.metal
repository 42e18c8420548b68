// Accesses beside buffers, arrays and tables.
#include <metal_stdlib>
using namespace metal;

// kernel: guard_one_too_far
// grid: 32
// threadgroup: 16
// in 0: float 0..30
// in 1: float 31*5
kernel void guard_one_too_far(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                              uint i [[thread_position_in_grid]]) {
  if (i > 31) return;
  y[i] = 2 * x[i];  // expect: out_of_bounds
}

// kernel: tile_without_halo
// grid: 16
// threadgroup: 16
// in 0: float 0..15
// in 1: float 16*7
kernel void tile_without_halo(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                              uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16];
  tile[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[i] + tile[i + 1];  // expect: out_of_bounds
}

// kernel: before_the_first_row
// grid: 8 4
// threadgroup: 8 4
// in 0: float 32*1
// in 1: float 32*0
kernel void before_the_first_row(device const float* x [[buffer(0)]],
                                 device float* y [[buffer(1)]],
                                 uint2 p [[thread_position_in_grid]]) {
  int at = int(p.y * 8 + p.x);
  y[at] = x[at] - x[at - 8];  // expect: out_of_bounds
}

// kernel: last_vector_is_cut_off
// grid: 8
// threadgroup: 8
// in 0: float 0..29
// in 1: float 32*0
kernel void last_vector_is_cut_off(device const float4* x [[buffer(0)]],
                                   device float4* y [[buffer(1)]],
                                   uint i [[thread_position_in_grid]]) {
  y[i] = x[i];  // expect: out_of_bounds
}

// kernel: histogram_without_last_bin
// grid: 32
// threadgroup: 32
// in 0: uint 0..31
// in 1: uint 8*0
kernel void histogram_without_last_bin(device const uint* x [[buffer(0)]],
                                       device atomic_uint* bins [[buffer(1)]],
                                       uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&bins[x[i] % 9], 1, memory_order_relaxed);  // expect: out_of_bounds
}

// kernel: host_gave_less
// grid: 16
// threadgroup: 16
// shared 0: 32
// in 0: float 16*1
kernel void host_gave_less(device float* x [[buffer(0)]],
                           threadgroup float* scratch [[threadgroup(0)]],
                           uint i [[thread_position_in_threadgroup]]) {
  scratch[i] = x[i];  // expect: out_of_bounds
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = scratch[i & 7] + i;
}

// kernel: ring_of_registers
// grid: 4
// threadgroup: 4
// in 0: uint 5 6 7 8
// in 1: uint 4*0
kernel void ring_of_registers(device const uint* x [[buffer(0)]], device uint* y [[buffer(1)]],
                              uint i [[thread_position_in_grid]]) {
  uint ring[6] = {};
  for (uint k = 0; k < x[i]; ++k) ring[k] = k;  // expect: out_of_bounds
  y[i] = ring[x[i] % 6];
}

constant float weights[5] = {1, 4, 6, 4, 1};

// kernel: table_from_one
// grid: 5
// threadgroup: 5
// in 0: float 5*0
kernel void table_from_one(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  y[i] = weights[i + 1];  // expect: out_of_bounds
}

// kernel: pointer_runs_on
// grid: 4
// threadgroup: 4
// in 0: float 0..15
// in 1: float 4*0
kernel void pointer_runs_on(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                            uint i [[thread_position_in_grid]]) {
  float sum = 0;
  device const float* p = x + i;
  for (uint k = 0; k <= 4; ++k, p += 4) sum += *p;  // expect: out_of_bounds
  y[i] = sum;
}

// kernel: either_buffer
// grid: 16
// threadgroup: 16
// in 0: float 0..15
// in 1: float 0..7
// in 2: float 16*0
kernel void either_buffer(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]],
                          device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  device const float* from = i & 1 ? b : a;
  y[i] = from[i];  // expect: out_of_bounds
}

// kernel: in_either_branch
// grid: 16
// threadgroup: 16
// in 0: uint 0..15
// in 1: float 16*0
kernel void in_either_branch(device const uint* x [[buffer(0)]], device float* y [[buffer(1)]],
                             uint i [[thread_position_in_grid]]) {
  float p[8];
  for (uint k = 0; k < 8; ++k) p[k] = k;
  if (i & 1)
    p[x[i]] = 1;  // expect: out_of_bounds
  else
    p[x[i]] = 2;  // expect: out_of_bounds
  y[i] = p[x[i] & 7];
}

// kernel: before_the_bound_offset
// grid: 16
// threadgroup: 16
// in 0 at 16: float 1..20
// in 1: float 16*0
kernel void before_the_bound_offset(device const float* x [[buffer(0)]],
                                    device float* y [[buffer(1)]],
                                    uint i [[thread_position_in_grid]]) {
  y[i] = x[int(i) - 1];  // expect: out_of_bounds
}

// A matrix of eight rows and columns, of which the last row is not there.
// kernel: matrix_without_its_last_row
// grid: 32
// threadgroup: 32
// in 0: float 120*1
// in 1: float 128*0
kernel void matrix_without_its_last_row(device const float* x [[buffer(0)]],
                                        device float* y [[buffer(1)]]) {
  simdgroup_float8x8 m;
  simdgroup_load(m, x, 16);
  simdgroup_load(m, x + 8, 16);  // expect: out_of_bounds
  simdgroup_store(m, y, 16);
}

struct Row {
  device const float* values;
  uint length;
};

// What is read there counts no iterations.
// kernel: length_behind_a_null_pointer
// grid: 1
// threadgroup: 1
// in 0: ulong 0
// in 1: float 0
struct RowPointer {
  device const Row* row;
};

kernel void length_behind_a_null_pointer(constant RowPointer& pointer [[buffer(0)]],
                                         device float& sum [[buffer(1)]]) {
  for (uint k = 0; k < pointer.row->length; ++k) sum += pointer.row->values[k];  // expect: out_of_bounds
}
