// A float beyond the range of int is converted.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: float 64*3e10
// in 1: int 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device int* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = int(x[t]);  // check: conversion_out_of_range
}
kernel void fixed(device const float* x, device int* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = int(min(x[t], 1e9f));
}
