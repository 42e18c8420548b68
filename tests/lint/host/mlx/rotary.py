"""Pairs turned by an angle that grows with the position."""
import mlx.core as mx


class Rotary:
    def __init__(self, base=10000.0):
        self.base = base
        self.kernel = mx.fast.metal_kernel(
            name="rotary",
            input_names=["x", "offset", "log_base"],
            output_names=["out"],
            source=r"""
                uint pair = thread_position_in_grid.x;
                uint step = thread_position_in_grid.y;
                uint head = thread_position_in_grid.z;
                uint pairs = threads_per_grid.x;
                float angle = float(step + offset) * metal::exp2(-float(pair) / pairs * log_base);
                float s, c;
                s = metal::sincos(angle, c);
                uint at = (head * threads_per_grid.y + step) * 2 * pairs + pair;
                float a = x[at], b = x[at + pairs];
                out[at] = T(a * c - b * s);
                out[at + pairs] = T(a * s + b * c);
            """,
        )

    def __call__(self, x, offset):
        heads, steps, width = x.shape
        return self.kernel(
            inputs=[x, offset, mx.log2(self.base)],
            template=[("T", x.dtype)],
            grid=(width // 2, steps, heads),
            threadgroup=(32, 8, 1),
            output_shapes=[x.shape],
            output_dtypes=[x.dtype],
        )[0]
