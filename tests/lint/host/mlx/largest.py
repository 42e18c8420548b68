"""The place of a row's largest value, with helpers in a header."""
import mlx.core as mx

_header = """
struct Best {
    float value;
    uint place;
};

METAL_FUNC Best better(Best a, Best b) {
    return b.value > a.value || (b.value == a.value && b.place < a.place) ? b : a;
}
"""

_body = """
    threadgroup Best shared[32];
    uint row = threadgroup_position_in_grid.x;
    uint thread_of_row = thread_position_in_threadgroup.x;
    Best best = {-INFINITY, 0};
    for (uint i = thread_of_row; i < uint(logits_shape[1]); i += threads_per_threadgroup.x)
        best = better(best, Best{float(logits[row * logits_shape[1] + i]), i});
    for (ushort step = 16; step > 0; step /= 2)
        best = better(best, Best{simd_shuffle_down(best.value, step), simd_shuffle_down(best.place, step)});
    if (thread_index_in_simdgroup == 0) shared[simdgroup_index_in_threadgroup] = best;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (thread_of_row == 0) {
        for (uint i = 1; i < simdgroups_per_threadgroup; ++i) best = better(best, shared[i]);
        place[row] = best.place;
    }
"""

largest = mx.fast.metal_kernel(
    name="largest", input_names=["logits"], output_names=["place"], header=_header, source=_body
)


def run(logits):
    return largest(inputs=[logits], grid=(256 * logits.shape[0], 1, 1), threadgroup=(256, 1, 1),
                   output_shapes=[(logits.shape[0],)], output_dtypes=[mx.uint32])[0]
