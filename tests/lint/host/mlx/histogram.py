"""Counts of values, added atomically; the output starts with zeros."""
import mlx.core as mx

kernel = mx.fast.metal_kernel(
    name="histogram",
    input_names=["values", "bounds"],
    output_names=["counts"],
    source="""
        uint i = thread_position_in_grid.x;
        if (i >= values_shape[0]) return;
        float at = (float(values[i]) - float(bounds[0])) / (float(bounds[1]) - float(bounds[0]));
        int bin = metal::clamp(int(at * BINS), 0, BINS - 1);
        atomic_fetch_add_explicit(&counts[bin], 1u, memory_order_relaxed);
    """,
    atomic_outputs=True,
)


def histogram(values, low, high, bins=64):
    return kernel(inputs=[values, mx.array([low, high])], template=[("BINS", 64)], grid=(values.size, 1, 1),
                  threadgroup=(256, 1, 1), output_shapes=[(bins,)], output_dtypes=[mx.uint32], init_value=0)[0]
