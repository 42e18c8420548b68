"""torch: calls with too few arguments, and of a kernel that is not there."""
import torch

WIDTH = 4

library = torch.mps.compile_shader(f"""
#include <metal_stdlib>
using namespace metal;
kernel void scale(device float* x [[buffer(0)]], constant float& a [[buffer(1)]], uint i [[thread_position_in_grid]]) {{
    x[{WIDTH} * i] *= a;
}}
[[max_total_threads_per_threadgroup(64)]] kernel void fill(device float* x, uint i [[thread_position_in_grid]]) {{
    x[i] = {WIDTH};
}}
""")


def run(x):
    library.scale(x, 2.0)
    library.scale(x)  # // expect: nothing is bound to index 1, which 'scale' uses for 'a'
    library.fill(x, threads=1024, group_size=(64, 1, 1))
    library.fill(x, threads=1024, group_size=(128, 1, 1))  # // expect: a threadgroup of 128 threads
    library.scales(x, 2.0)  # // expect: this host asks for kernel 'scales', but no source defines it
