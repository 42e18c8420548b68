"""Rows divided by the root of their mean square: a simdgroup takes a row. The factor is one value."""
import mlx.core as mx

SOURCE = """
    uint row = threadgroup_position_in_grid.x;
    uint lane = thread_index_in_simdgroup;
    float sum = 0;
    for (int k = lane; k < WIDTH; k += 32) {
        float value = x[row * WIDTH + k];
        sum += value * value;
    }
    sum = simd_sum(sum);
    float factor = metal::rsqrt(sum / WIDTH + eps);
    for (int k = lane; k < WIDTH; k += 32)
        y[row * WIDTH + k] = weight[k] * T(x[row * WIDTH + k] * factor);
"""


def make():
    return mx.fast.metal_kernel(name="scaled_rows", input_names=["x", "weight", "eps"], output_names=["y"], source=SOURCE)


def scaled_rows(x, weight, eps):
    width = x.shape[-1]
    kernel = make()
    return kernel(
        inputs=[x, weight, mx.array(eps)],
        template=[("T", x.dtype), ("WIDTH", width)],
        grid=(32 * x.shape[0], 1, 1),
        threadgroup=(32, 1, 1),
        output_shapes=[x.shape],
        output_dtypes=[x.dtype],
    )[0]
