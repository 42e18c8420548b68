"""Where the seed of each task can be spoiled: its sizes, values, places and steps, in Metal and as the contracts allow.

A store is a line of the seed and what it may hold instead: always something wrong where the conditions hold; and, if not
all, the families of conditions that make sense there. A value is
an expression, its usual largest magnitude in random inputs, the largest that the contract gives it, and the conditions
that change the result. A place is an expression, how many values it has at a size, and the largest number to compare it
with. A side begins at the first number at which the store is reached.
"""
import math


class Side:
    def __init__(self, name, text, least, most, multiple=1, power_of_two=False):
        self.name, self.text, self.least, self.most = name, text, least, most
        self.multiple, self.power_of_two = multiple, power_of_two

    def round(self, value):
        if self.power_of_two:
            return 1 << max(0, round(math.log2(value)))
        return max(self.least, value // self.multiple * self.multiple)

    def draw(self, draws, most):
        most = max(self.least, min(self.most, most))
        return self.round(int(math.exp(draws.uniform(math.log(self.least), math.log(most + 1)))))


class Task:
    def __init__(self, name, sides, known, stores, values, places, step=None, hidden_steps=(1, 1), other_inputs="true",
                 counter=(), most_cells=2e6, behind="", hidden_volumes=(4000, 60000)):
        self.name, self.sides, self.stores, self.values, self.places = name, sides, stores, values, places
        self.step, self.hidden_steps, self.other_inputs, self.counter = step, hidden_steps, other_inputs, counter
        self.most_cells = most_cells
        self.behind, self.hidden_volumes = behind, hidden_volumes  # a value behind a buffer, read where a volume is larger
        names = [side.name for side in sides]
        self.known_sizes = [dict(zip(names, size)) for size in known]

    @staticmethod
    def is_real(store):
        return not store.startswith(("const int", "const uint"))

    def draw_size(self, draws):
        size, cells = {}, self.most_cells
        for side in draws.sample(self.sides, len(self.sides)):
            size[side.name] = side.draw(draws, int(cells))
            cells = max(1, cells / size[side.name])
        return size


def squares(*sides):
    return [(side, side) for side in sides]


def cubes(*sides):
    return [(side, side, side) for side in sides]


def fields(*names):
    """The product of these sizes."""
    return lambda size: math.prod(size[name] for name in names)


LARGE = ["large", "negative"]
ANY = ["large", "negative", "small", "zero"]
STENCIL = ["c", "0.5f * c", "c + 1.05f * alpha * around", "0.0f"]

TASKS = {each.name: each for each in [
    Task("saxpy", [Side("n", "N", 1, 4000000)], [(1 << 20,), (1 << 22,), (1 << 24,), (1 << 26,), (8192,), (10007,)],
         [("y[i] = a * x[i] + y[i];", ["y[i]", "0.9f * a * x[i] + y[i]"])],
         [("x[i]", 4, 1e8, LARGE)],
         [("i", fields("n"), 4e6)], behind="x[N + i]", hidden_volumes=(12000, 200000)),
    Task("heat2d", [Side("nx", "NX", 3, 4096), Side("ny", "NY", 3, 4096)],
         squares(256, 512, 768, 1024) + [(64, 32), (50, 37)],
         [("u_out[at] = c + alpha * (around - 4.0f * c);", STENCIL)],
         [("c", 1, 1e8, ANY), ("around", 4, 1e8, LARGE), ("u_in[at - 1]", 1, 1e8, ANY)],
         [("i", fields("nx"), 4000), ("j", fields("ny"), 4000), ("at", fields("nx", "ny"), 2e6)],
         behind="u_in[NX * NY + at]"),
    Task("wave3d", [Side("nx", "NX", 3, 1024), Side("ny", "NY", 3, 1024), Side("nz", "NZ", 3, 1024)],
         cubes(64, 128, 160, 192) + [(32, 16, 24), (21, 18, 13)],
         [("u_next[at] = 2.0f * c - u_prev[at] + alpha * (around - 6.0f * c);",
           ["c", "2.0f * c - u_prev[at]", "1.01f * c - u_prev[at] + 1.02f * alpha * around"])],
         [("c", 1, 1e8, ANY), ("u_prev[at]", 1, 1e8, ANY)],
         [("i", fields("nx"), 1000), ("k", fields("nz"), 1000), ("at", fields("nx", "ny", "nz"), 2e6)],
         behind="u_prev[NX * NY * NZ + at]", hidden_volumes=(14000, 100000)),
    Task("nbody", [Side("n", "N", 2, 4096)], [(256,), (512,), (1024,), (2048,), (200,)],
         [("vel_out[i] = float4(v, 0.0f);", ["vel_in[i]", "float4(0.99f * v, 0.0f)"]),
          ("const float3 v = vel_in[i].xyz + G * pull * dt;", ["vel_in[i].xyz + 0.9f * G * pull * dt"])],
         [("r.x", 1, 30, LARGE), ("mass[i]", 20, 20, ["light"])],
         [("i", fields("n"), 4000)],
         step="uint(pos_in[i].w)", hidden_steps=(5, 9), other_inputs="fabs(vel_in[i].x) > 0.5f",
         counter=[("pos_out[i] = float4(r + v * dt, 0.0f);", "pos_out[i] = float4(r + v * dt, pos_in[i].w + 1.0f);")]),
    Task("hmc", [Side("d", "d", 2, 32, 2), Side("k", "K", 1, 32768)],
         [(8, 16384), (16, 4096), (32, 1024), (24, 2048), (8, 192), (16, 150)],
         [("const float kick = round == L ? 0.5f * eps : eps;", ["eps", "round == L ? 0.49f * eps : eps"]),
          ("q_out[chain * d + i] = accepted ? q[i] : q_in[chain * d + i];", ["q_in[chain * d + i]"])],
         [("q_in[chain * d]", 2, 6, LARGE)],
         [("chain", fields("k"), 30000)],
         step="hmc_step_idx", hidden_steps=(7, 180), other_inputs="seed != 0xCAFEBEEFu", most_cells=60000),
    Task("lbm", [Side("nx", "NX", 1, 4096), Side("ny", "NY", 1, 4096)],
         squares(64, 128, 192, 256) + [(32, 48), (37, 26)],
         [("f_out[k * cells + j * NX + i] = s[k] - (s[k] - equilibrium) / tau;",
           ["s[k]", "equilibrium", "s[k] - 1.01f * (s[k] - equilibrium) / tau"])],
         [("rho", 1.7, 50, ["large"]), ("ux", 0.4, 0.7, LARGE)],
         [("i", fields("nx"), 4000), ("j", fields("ny"), 4000)], most_cells=3e5),
    Task("ising", [Side("nx", "NX", 16, 4096, 2), Side("ny", "NY", 16, 4096, 2)],
         squares(256, 1024, 1536, 2048) + [(256, 160), (50, 38)],
         [("const int s = spins[site];", ["1", "-int(spins[site])"]),
          ("const float u = float(x >> 8) * (1.0f / 16777216.0f);",
           ["1.0f", "0.99f * float(x >> 8) * (1.0f / 16777216.0f)"])],
         [],
         [("i", fields("nx"), 8000), ("j", fields("ny"), 8000)],
         step="step_idx", hidden_steps=(25, 190), other_inputs="seed != 0xC0FFEE01u", most_cells=4e6),
    Task("lj", [Side("n", "N", 2, 14000)], [(1728,), (2744,), (4096,), (10648,), (1000,)],
         [("vel_out[i] = float4(v, 0.0f);", ["vel_in[i]", "float4(0.99f * v, 0.0f)"]),
          ("const float3 v = vel_in[i].xyz + a * dt;", ["vel_in[i].xyz + 0.9f * a * dt"])],
         [("r.x", 15, 30, LARGE)],
         [("i", fields("n"), 12000)],
         step="uint(pos_in[i].w)", hidden_steps=(5, 14), other_inputs="fabs(vel_in[i].x) > 0.8f",
         counter=[("pos_out[i] = float4(r + v * dt, 0.0f);", "pos_out[i] = float4(r + v * dt, pos_in[i].w + 1.0f);")]),
    Task("gradshaf", [Side("nr", "NR", 3, 4096), Side("nz", "NZ", 3, 4096)],
         squares(65, 129, 257, 513) + [(33, 49), (50, 37)],
         [("psi_out[at] = c + omega * (source - operated) / centre;",
           ["c", "c + 0.99f * omega * (source - operated) / centre"]),
          # One thread's, which knows no cell; and a negative maximum does not count.
          ("if (thread_id == 0) psi_axis[0] = largest[0];", ["0.99f * largest[0]"], ["size", "single size"])],
         [("psi_axis[0]", 1, 100, LARGE)],
         [("i", fields("nr"), 4000), ("j", fields("nz"), 4000)]),
    Task("fft3d", [Side("n", "N", 2, 256, 1, True)], [(32,), (64,), (128,), (256,)],
         [("out_data[at] = line[i];", ["0.99f * line[i]", "in_data[at]"])],
         [("in_data[at].x", 1, 1e8, LARGE)],
         [("i", fields("n"), 250)]),
    Task("adi3d", [Side("nx", "NX", 32, 128, 32), Side("ny", "NY", 32, 128, 32), Side("nz", "NZ", 4, 128)],
         cubes(64, 96, 128) + [(256, 192, 128), (64, 32, 20), (32, 96, 40)],
         [("const uint first = j * NX + i;", ["j * NX + (i ^ 1)"])],
         [("u_in[j * NX + i]", 1, 1e8, ANY)],
         [("i", fields("nx"), 250), ("j", fields("ny"), 250)]),
    Task("morton", [Side("n", "N", 4, 256, 1, True)], [(32,), (64,), (128,), (256,), (16,)],
         [("u_out[at] = c + alpha * (around - 6.0f * c);", ["c", "c + 1.02f * alpha * (around - 6.0f * c)"])],
         [("c", 1, 1e8, ANY), ("around", 6, 1e8, LARGE)],
         [("cell.x", fields("n"), 250), ("cell.z", fields("n"), 250)]),
]}
