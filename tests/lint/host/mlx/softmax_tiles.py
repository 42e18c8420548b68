"""A softmax of rows over all simdgroups of a threadgroup."""
import textwrap

import mlx.core as mx

SOURCE = textwrap.dedent("""
    threadgroup float partial[32];
    const uint row = threadgroup_position_in_grid.x;
    const uint simdgroup = simdgroup_index_in_threadgroup;
    const uint lane = thread_index_in_simdgroup;
    float most = -INFINITY;
    for (int i = thread_position_in_threadgroup.x; i < N; i += threads_per_threadgroup.x)
        most = metal::max(most, float(x[row * N + i]));
    most = simd_max(most);
    if (lane == 0) partial[simdgroup] = most;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    most = simd_max(lane < simdgroups_per_threadgroup ? partial[lane] : -INFINITY);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float sum = 0;
    for (int i = thread_position_in_threadgroup.x; i < N; i += threads_per_threadgroup.x)
        sum += metal::exp(float(x[row * N + i]) - most);
    sum = simd_sum(sum);
    if (lane == 0) partial[simdgroup] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum = simd_sum(lane < simdgroups_per_threadgroup ? partial[lane] : 0.0f);
    for (int i = thread_position_in_threadgroup.x; i < N; i += threads_per_threadgroup.x)
        out[row * N + i] = T(metal::exp(float(x[row * N + i]) - most) / sum);
""")

softmax = mx.fast.metal_kernel("softmax_tiles", ["x"], ["out"], SOURCE)


def run(x):
    return softmax(inputs=[x], template=[("T", x.dtype), ("N", x.shape[1])], grid=(256 * x.shape[0], 1, 1),
                   threadgroup=(256, 1, 1), output_shapes=[x.shape], output_dtypes=[x.dtype])[0]
