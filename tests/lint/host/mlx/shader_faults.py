"""torch: a fault behind a constant, and a call with too few arguments."""
import torch

WIDTH = 64

library = torch.mps.compile_shader(f"""
#include <metal_stdlib>
using namespace metal;
kernel void scale(device float* x, constant float& a, uint i [[thread_position_in_grid]]) {{
    threadgroup float tile[{WIDTH}];
    x[i] = a * tyle[i % {WIDTH}];  // expect: 'tyle'
}}
""")


def run(x):
    library.scale(x)
