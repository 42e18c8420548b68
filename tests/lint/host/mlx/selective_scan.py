"""A state space of a channel: the lanes of a simdgroup hold its states."""
import mlx.core as mx


def make_kernel():
    source = """
        auto channel = thread_position_in_grid.y;
        auto batch = thread_position_in_grid.z;
        auto lane = thread_index_in_simdgroup;
        auto heads = decay_shape[0];
        auto head = channel % heads;
        float dt = metal::log(1.0f + metal::exp(float(step[batch * heads + head])));
        float a = metal::exp(-metal::exp(float(decay[head])) * dt);
        float sum = 0.0;
        for (int i = lane; i < STATES; i += 32) {
            auto at = (batch * threads_per_grid.y + channel) * STATES + i;
            float s = a * float(state_in[at]) + dt * float(b[batch * STATES + i]) * float(x[batch * threads_per_grid.y + channel]);
            state_out[at] = T(s);
            sum += s * float(c[batch * STATES + i]);
        }
        sum = simd_sum(sum);
        if (lane == 0) y[batch * threads_per_grid.y + channel] = T(sum);
    """
    return mx.fast.metal_kernel(
        name="selective_scan",
        input_names=["x", "decay", "b", "c", "step", "state_in"],
        output_names=["y", "state_out"],
        source=source,
    )


def scan(x, decay, b, c, step, state):
    kernel = make_kernel()
    return kernel(
        inputs=[x, decay, b, c, step, state],
        template=[("T", x.dtype), ("STATES", state.shape[-1])],
        grid=(32, x.shape[1], x.shape[0]),
        threadgroup=(32, 8, 1),
        output_shapes=[x.shape, state.shape],
        output_dtypes=[x.dtype, x.dtype],
    )
