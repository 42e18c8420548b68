// A negative float is converted to an unsigned integer.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: float -32..31
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = uint(x[t]);  // check: conversion_out_of_range
}
kernel void fixed(device const float* x, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = uint(max(x[t], 0.0f));
}
