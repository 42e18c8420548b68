"""torch: constants of the file in an f-string."""
import torch

WIDTH = 64
TYPE = "float"

library = torch.mps.compile_shader(f"""
#include <metal_stdlib>
using namespace metal;
kernel void scale(device {TYPE}* x, constant {TYPE}& a, uint i [[thread_position_in_grid]]) {{
    threadgroup {TYPE} tile[{WIDTH}];
    tile[i % {WIDTH}] = x[i];
    x[i] = a * tile[i % {WIDTH}];
}}
""")


def run(x):
    library.scale(x, 2.0)
