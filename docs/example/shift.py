# Adds a number to a tensor on the GPU.
import torch

shaders = torch.mps.compile_shader("""
#include <metal_stdlib>

kernel void shift(device float *restrict x [[buffer(0)]], constant float& by [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  x[i] += by;
}
""")

x = torch.arange(8, dtype=torch.float32, device="mps")
shaders.shift(x, 0.5)
print(x)
