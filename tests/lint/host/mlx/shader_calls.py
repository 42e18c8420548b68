"""torch: calls with too few or wrong arguments, and of a kernel that is not there."""
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
kernel void copy(device half* y, device const half* x, constant int& n, uint i [[thread_position_in_grid]]) {{
    if (int(i) < n) y[i] = x[i];
}}
kernel void pack(device uint* y, device const float2* x, constant uchar& shift, uint i [[thread_position_in_grid]]) {{
    y[i] = uint(x[i].x) << shift;
}}
""")


def run(x):
    library.scale(x, 2.0)
    library.scale(x)  # // expect: nothing is bound to index 1, which 'scale' uses for 'a'
    library.fill(x, threads=1024, group_size=(64, 1, 1))
    library.fill(x, threads=1024, group_size=(128, 1, 1))  # // expect: a threadgroup of 128 threads
    library.scales(x, 2.0)  # // expect: this host asks for kernel 'scales', but no source defines it
    library.scale(x, 2)  # // expect-warning: 8-byte whole numbers are bound to index 1, but 'scale' reads 'a' as 4-byte floating-point numbers
    library.scale(x, -len(x), arg_casts="fp16")


def types(x, n):
    narrow = torch.zeros(64, dtype=torch.float16, device="mps")
    wide = torch.empty((8, 8), device="mps", dtype=torch.float32)
    whole = torch.arange(64, dtype=torch.int32, device="mps")
    library.copy(narrow, narrow, 64)
    library.copy(narrow, x, int(n))
    library.copy(narrow, narrow, 2.5)  # // expect-warning: 4-byte floating-point numbers are bound to index 2
    library.copy(narrow, wide, 64)  # // expect-warning: 4-byte floating-point numbers are bound to index 1, but 'copy' reads 'x' as 2-byte
    library.scale(narrow, 2.0)  # // expect-warning: 2-byte floating-point numbers are bound to index 0
    library.scale(torch.ones(4, dtype=torch.bfloat16, device="mps"), 2.0)  # // expect-warning: 2-byte floating-point
    library.scale(wide.half(), int(n))  # // expect-warning: 8-byte whole numbers are bound to index 1
    library.pack(whole, wide, 3)
    library.copy(narrow, narrow)  # // expect: nothing is bound to index 2, which 'copy' uses for 'n'
