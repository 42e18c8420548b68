"""A gate and a product, one element a thread."""
import mlx.core as mx

_kernel = mx.fast.metal_kernel(
    name="gated",
    input_names=["gate", "up"],
    output_names=["out"],
    source="""
        uint i = thread_position_in_grid.x;
        float g = float(gate[i]);
        out[i] = T(g / (1.0f + metal::exp(-g)) * float(up[i]));
    """,
)


def gated(gate, up):
    return _kernel(
        inputs=[gate, up],
        template=[("T", gate.dtype)],
        grid=(gate.size, 1, 1),
        threadgroup=(256, 1, 1),
        output_shapes=[gate.shape],
        output_dtypes=[gate.dtype],
    )[0]
