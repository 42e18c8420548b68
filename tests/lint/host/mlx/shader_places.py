"""torch: kernels without [[buffer(n)]], and numbers where a kernel takes something else."""
import torch

library = torch.mps.compile_shader("""
#include <metal_stdlib>
using namespace metal;
kernel void scale(device float* x, constant float& a, constant uint& count, uint i [[thread_position_in_grid]]) {
    if (i < count) x[i] *= a;
}
kernel void shift(constant half& by, device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    x[i] += by;
}
""")
other = torch.mps.compile_shader("""
#include <metal_stdlib>
using namespace metal;
kernel void total(device const float* x, device atomic_float* sum, uint i [[thread_position_in_grid]]) {
    atomic_fetch_add_explicit(sum, x[i], memory_order_relaxed);
}
""")


def run(x, a, sum):
    library.scale(x, 2.0, len(x))
    library.scale(x, a, 0x10, threads=16)
    library.scale(x, -1e3, int(a))
    library.scale(x, 2, 16, arg_casts="fp32")
    library.scale(x, 2.0)  # // expect: nothing is bound to index 2, which 'scale' uses for 'count'
    library.scale(x, 2.0, 16.5)  # // expect-warning: but 'scale' reads 'count' as 4-byte whole numbers
    library.shift(x, 2.0)  # // expect-warning: but 'shift' reads 'by' as 2-byte floating-point numbers
    library.shift(x)  # // expect: nothing is bound to index 1, which 'shift' uses for 'by'
    other.total(x, sum)
    other.total(x)  # // expect: nothing is bound to index 1, which 'total' uses for 'sum'
