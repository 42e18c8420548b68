"""A state of a head that decays and learns, step by step; masked steps are left out at compile time."""
import mlx.core as mx


def make(has_mask=False):
    mask_source = "mask[batch * steps + t]" if has_mask else "true"
    return mask_source


STEP = """
    constexpr int per_lane = DK / 32;
    uint batch = thread_position_in_grid.z / HEADS;
    uint head = thread_position_in_grid.z % HEADS;
    uint column = thread_position_in_grid.y;
    uint lane = thread_index_in_simdgroup;
    const device InT* key = k + (batch * steps * HEADS + head) * DK;
    const device InT* value = v + (batch * steps * HEADS + head) * DV;
    device InT* result = out + (batch * steps * HEADS + head) * DV;
    const device float* before = state_in + ((batch * HEADS + head) * DV + column) * DK;
    device float* after = state_out + ((batch * HEADS + head) * DV + column) * DK;
    float state[per_lane];
    for (int i = 0; i < per_lane; ++i) state[i] = before[per_lane * lane + i];
    for (int t = 0; t < steps; ++t) {
        if constexpr (MASKED) {
            if (!mask[batch * steps + t]) continue;
        }
        float known = 0;
        for (int i = 0; i < per_lane; ++i) {
            state[i] *= decay[(batch * steps + t) * HEADS + head];
            known += state[i] * float(key[per_lane * lane + i]);
        }
        known = simd_sum(known);
        float change = (float(value[column]) - known) * beta[(batch * steps + t) * HEADS + head];
        float sum = 0;
        for (int i = 0; i < per_lane; ++i) {
            state[i] += float(key[per_lane * lane + i]) * change;
            sum += state[i];
        }
        sum = simd_sum(sum);
        if (lane == 0) result[column] = InT(sum);
        key += HEADS * DK;
        value += HEADS * DV;
        result += HEADS * DV;
    }
    for (int i = 0; i < per_lane; ++i) after[per_lane * lane + i] = state[i];
"""

kernel = mx.fast.metal_kernel(
    name="recurrence",
    input_names=["k", "v", "decay", "beta", "state_in", "mask", "steps"],
    output_names=["out", "state_out"],
    source=STEP,
)


def update(k, v, decay, beta, state, mask, steps):
    batch, _, heads, dk = k.shape
    dv = v.shape[-1]
    return kernel(
        inputs=[k, v, decay, beta, state, mask, steps],
        template=[("InT", k.dtype), ("DK", dk), ("DV", dv), ("HEADS", heads), ("MASKED", True)],
        grid=(32, dv, batch * heads),
        threadgroup=(32, 4, 1),
        output_shapes=[v.shape, state.shape],
        output_dtypes=[k.dtype, mx.float32],
    )
