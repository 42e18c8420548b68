"""A product with weights of -1, 0 and 1, four in a byte; constants of the file stand in the text."""
import mlx.core as mx

BLOCK = 32
PER_BYTE = 4

_source = f"""
    constexpr int block = {BLOCK};
    uint row = threadgroup_position_in_grid.y * {BLOCK} / {BLOCK} + threadgroup_position_in_grid.x;
    uint lane = thread_index_in_simdgroup;
    float sum = 0.0;
    for (int k = lane; k < IN / {PER_BYTE}; k += block) {{
        uint8_t bits = packed[row * (IN / {PER_BYTE}) + k];
        for (int j = 0; j < {PER_BYTE}; ++j) {{
            int w = int((bits >> (2 * j)) & 3) - 1;
            sum += w * float(x[k * {PER_BYTE} + j]);
        }}
    }}
    sum = simd_sum(sum);
    if (lane == 0) out[row] = T(sum * float(scale[0]));
"""

_kernel = mx.fast.metal_kernel(name="ternary", input_names=["x", "packed", "scale"], output_names=["out"], source=_source)


def multiply(x, packed, scale, n):
    return _kernel(
        inputs=[x, packed, scale],
        template=[("T", x.dtype), ("IN", n)],
        grid=(BLOCK * packed.shape[0], 1, 1),
        threadgroup=(BLOCK, 1, 1),
        output_shapes=[(packed.shape[0],)],
        output_dtypes=[x.dtype],
    )[0]
