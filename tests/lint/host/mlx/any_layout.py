"""An array of any strides, by its shape."""
import mlx.core as mx

kernel = mx.fast.metal_kernel(
    name="any_layout",
    input_names=["inp"],
    output_names=["out"],
    source="""
        uint element = thread_position_in_grid.x;
        uint place = elem_to_loc(element, inp_shape, inp_strides, inp_ndim);
        T value = inp[place];
        out[element] = metal::exp(value);
    """,
    ensure_row_contiguous=False,
)


def exponentials(a):
    return kernel(inputs=[a], template=[("T", mx.float32)], grid=(a.size, 1, 1), threadgroup=(64, 1, 1),
                  output_shapes=[a.shape], output_dtypes=[mx.float32])[0]
