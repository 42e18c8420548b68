#include <metal_stdlib>
using namespace metal;
constant bool wide [[function_constant(0)]];
constant uint groups [[function_constant(1)]];
kernel void plain(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }
kernel void chooses(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = wide ? 2 : 3; }
kernel void counts(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = groups; }
