"""Faults in bodies, each with its place in this file."""
import mlx.core as mx

LANES = 32

missing_name = mx.fast.metal_kernel(
    name="missing_name",
    input_names=["x"],
    output_names=["y"],
    source="""
        uint i = thread_position_in_grid.x;
        y[i] = x[j];  // expect: use of undeclared identifier 'j'
    """,
)

unequal = mx.fast.metal_kernel(
    name="unequal",
    input_names=["x"],
    output_names=["y"],
    header="""
inline float half_of(float value) { return value / 2 }  // expect: expected ';'
""",
    source=f"""
        uint i = thread_position_in_grid.x * {LANES};
        y[i] = half_of(x[i]);
    """,
)

not_written = mx.fast.metal_kernel(
    name="not_written",
    input_names=["x"],
    output_names=["y"],
    source=f"""
        uint i = thread_position_in_grid.x;
        x[i] = y[i] + {LANES};  // expect: read-only
    """,
)


def run(x):
    missing_name(inputs=[x], grid=(1, 1, 1), threadgroup=(1, 1, 1), output_shapes=[x.shape], output_dtypes=[mx.float32])
    unequal(inputs=[x], grid=(1, 1, 1), threadgroup=(1, 1, 1), output_shapes=[x.shape], output_dtypes=[mx.float32])
    not_written(inputs=[x], grid=(1, 1, 1), threadgroup=(1, 1, 1), output_shapes=[x.shape], output_dtypes=[mx.float32])
