#include "tasks/heat2d/heat2d.h"

#include "tasks/field_steps.h"
#include "tasks/launch.h"

namespace msci {
namespace {

constexpr float alpha = 0.2F;

// One row of a step; the edges of `out` hold what they always hold.
template <typename Real>
void step_row(const Real* in, Real* out, std::size_t nx) {
  constexpr Real rate = alpha;
  const Real* const above = in - nx;
  const Real* const below = in + nx;
  for (std::size_t i = 1; i + 1 < nx; ++i) {
    const Real around = ((in[i - 1] + in[i + 1]) + above[i]) + below[i];
    out[i] = in[i] + rate * (around - 4 * in[i]);
  }
}

struct Heat {
  // Uniform values with edges of exactly zero.
  static Array<float> start(const Size& size) {
    const std::size_t nx = size["nx"], ny = size["ny"];
    Random random(0xC0DE);
    Array<float> field(nx * ny);
    for (float& value : field) value = static_cast<float>(random.uniform());
    for (std::size_t i = 0; i < nx; ++i) field[i] = field[(ny - 1) * nx + i] = 0;
    for (std::size_t j = 0; j < ny; ++j) field[j * nx] = field[j * nx + nx - 1] = 0;
    return field;
  }

  // Edges that hold something, too: each must be copied.
  static Array<float> strict_start(const Size& size, Key key) {
    KeyedRandom draws(key);
    auto field = uniform(draws, std::size_t{size["nx"]} * size["ny"], -1, 1);
    if (size.is_drawn) add_extremes(draws, field, size.numbers);
    return field;
  }

  static Result<Plan> pass(const Size& size, const Translation& program, Array<float> a,
                           PlanBuffer b) {
    const auto group = tile_group(program, "heat_step");
    if (!group) return group.error();
    const unsigned nx = size["nx"], ny = size["ny"];
    return field_steps({filled("A", std::move(a)), std::move(b)},
                       {scalar("NX", nx), scalar("NY", ny), scalar("alpha", alpha)}, "heat_step",
                       {nx, ny}, *group, size["n_steps"]);
  }

  template <typename Field>
  static Field advance(Field field, const Size& size) {
    constexpr std::size_t operations_of_cell = 4;
    const std::size_t nx = size["nx"], ny = size["ny"];
    return after_steps(std::move(field), size["n_steps"], [&](const Field& now, Field& next) {
      if (ny < 3) return;  // all cells lie on the edge
      in_parallel(ny - 2, operations_of_cell * nx, [&](std::size_t begin, std::size_t end) {
        for (std::size_t j = begin + 1; j < end + 1; ++j) step_row(&now[j * nx], &next[j * nx], nx);
      });
    });
  }
};

// What sizes are allowed; the page has the rest.
const SizeContract contract{
    .sides = {{"nx", 1, 4096}, {"ny", 1, 4096}}, .steps = "n_steps", .most_steps = 100};

}  // namespace

const Task heat2d{
    .order = 2,
    .name = "heat2d",
    .title = "2-D heat equation, five-point stencil",
    .kernels = {{.name = "heat_step",
                 .arguments = {{0, "device const float *", "u_in", "field, NX*NY floats"},
                               {1, "device float *", "u_out", "field, NX*NY floats"},
                               {2, "constant uint &", "NX", "columns, the fast axis"},
                               {3, "constant uint &", "NY", "rows"},
                               {4, "constant float &", "alpha", "0.20"}}}},
    .sizes = {{"256x256_50", {{"nx", 256}, {"ny", 256}, {"n_steps", 50}}},
              {"512x512_100", {{"nx", 512}, {"ny", 512}, {"n_steps", 100}}},
              {"1024x1024_50", {{"nx", 1024}, {"ny", 1024}, {"n_steps", 50}}}},
    .held_out = Size{"768x768_75", {{"nx", 768}, {"ny", 768}, {"n_steps", 75}}},
    .small = {"64x64_4", {{"nx", 64}, {"ny", 64}, {"n_steps", 4}}},
    .ceiling = Ceiling::bandwidth,
    .unit = "GB/s (effective, 8 B/cell)",
    .plan = FieldTask<Heat>::plan,
    .reference = FieldTask<Heat>::reference,
    .reference_bytes = [](const Size& size) { return 4 * std::size_t{size["nx"]} * size["ny"]; },
    .judge = within_first("max_abs", 1e-4, 1e-5),
    .work = [](const Size& size) { return 8.0 * size["nx"] * size["ny"] * size["n_steps"]; },
    .intensity = [](const Size&) { return 7.0 / 8; },
    .stress = {.sizes = {{"64x32_6", {{"nx", 64}, {"ny", 32}, {"n_steps", 6}}},
                         {"50x37_5", {{"nx", 50}, {"ny", 37}, {"n_steps", 5}}}},
               .random_size = [](KeyedRandom& draws) { return draw_size(contract, draws); },
               .larger_size =
                   [](KeyedRandom& draws) {
                     return Size{"",
                                 {{"nx", draws.between(1025, 1150)},
                                  {"ny", draws.between(1025, 1150)},
                                  {"n_steps", 2}}};
                   },
               .plan = FieldTask<Heat>::strict_plan,
               .reference = FieldTask<Heat>::strict_reference},
    .derivation = heat2d_derivation,
    .seed = heat2d_seed,
    .page = heat2d_page,
};

}  // namespace msci
