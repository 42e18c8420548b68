#include "tasks/lbm/lbm.h"

#include <algorithm>
#include <cmath>

#include "tasks/field_steps.h"
#include "tasks/launch.h"

namespace msci {
namespace {

constexpr float tau = 0.8F;

constexpr std::size_t directions = 9;
constexpr int cx[directions] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr int cy[directions] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
template <typename Real>
constexpr Real weight[directions] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                     1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

// Pulls the nine populations of cell (i, j) from upstream, relaxes them and stores them.
template <typename Real>
void step_cell(const Real* in, Real* out, std::size_t i, std::size_t j, std::size_t nx,
               std::size_t ny) {
  constexpr auto inverse_tau = static_cast<Real>(1 / double{tau});
  Real s[directions];
  Real rho = 0, ux = 0, uy = 0;
  for (std::size_t k = 0; k < directions; ++k) {
    const std::size_t from_i = (i + nx - cx[k]) % nx, from_j = (j + ny - cy[k]) % ny;
    s[k] = in[(k * ny + from_j) * nx + from_i];
    rho += s[k];
    ux += static_cast<Real>(cx[k]) * s[k];
    uy += static_cast<Real>(cy[k]) * s[k];
  }
  ux /= rho;
  uy /= rho;
  const Real usq = ux * ux + uy * uy;
  for (std::size_t k = 0; k < directions; ++k) {
    const Real cu = static_cast<Real>(cx[k]) * ux + static_cast<Real>(cy[k]) * uy;
    const Real equilibrium =
        (weight<Real>[k] * rho) * (((1 + 3 * cu) + (Real{4.5} * cu) * cu) - Real{1.5} * usq);
    out[(k * ny + j) * nx + i] = s[k] - inverse_tau * (s[k] - equilibrium);
  }
}

struct Flow {
  // A fluid at rest, a little denser in the middle.
  static Array<float> start(const Size& size) {
    const std::size_t nx = size["nx"], ny = size["ny"];
    const double sigma = 0.15 * static_cast<double>(std::min(nx, ny));
    const auto squared_offset = [](std::size_t at, std::size_t length) {
      const double offset = static_cast<double>(at) - static_cast<double>(length - 1) / 2;
      return offset * offset;
    };
    Array<float> field(directions * nx * ny);
    for (std::size_t j = 0; j < ny; ++j)
      for (std::size_t i = 0; i < nx; ++i) {
        const double r2 = squared_offset(i, nx) + squared_offset(j, ny);
        const auto density = static_cast<float>(1 + 0.05 * std::exp(-r2 / (2 * sigma * sigma)));
        for (std::size_t k = 0; k < directions; ++k)
          field[(k * ny + j) * nx + i] = weight<float>[k] * density;
      }
    return field;
  }

  // A fluid far from rest and from equilibrium, at some third of the speed of sound: the squares of
  // the velocity weigh as much as the velocity does.
  static Array<float> strict_start(const Size& size, Key key) {
    KeyedRandom draws(key);
    const std::size_t cells = std::size_t{size["nx"]} * size["ny"];
    Array<float> field = uniform(draws, directions * cells, 0.3, 1.7);
    for (std::size_t i = 0; i < field.size(); ++i) field[i] *= weight<float>[i / cells];
    if (size.is_drawn && size["n_steps"] == 1) add_extremes(draws, field, cells);
    return field;
  }

  // In some runs, a part of the cells is far denser, or flows almost as fast as a population moves.
  // A second step would have negative populations, and rounding errors that grow without bound.
  static void add_extremes(KeyedRandom& draws, Array<float>& field, std::size_t cells) {
    const auto kind = draws.between(0, 2);
    if (kind == 0) return;
    const double largest = log_uniform(draws, 4, 100);
    const std::size_t direction = draws.between(1, directions - 1);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (draws.between(0, 3) != 0) continue;
      const auto factor = static_cast<float>(draws.uniform(1, largest));
      for (std::size_t k = 0; k < directions; ++k)
        if (kind == 1 || k == direction) field[k * cells + cell] *= factor;
    }
  }

  static Result<Plan> pass(const Size& size, const Translation& program, Array<float> a,
                           PlanBuffer b) {
    const auto group = tile_group(program, "lbm_step");
    if (!group) return group.error();
    const unsigned nx = size["nx"], ny = size["ny"];
    return field_steps({filled("A", std::move(a)), std::move(b)},
                       {scalar("NX", nx), scalar("NY", ny), scalar("tau", tau)}, "lbm_step",
                       {nx, ny}, *group, size["n_steps"]);
  }

  template <typename Field>
  static Field advance(Field field, const Size& size) {
    constexpr std::size_t operations_of_cell = 200;
    const std::size_t nx = size["nx"], ny = size["ny"];
    return after_steps(std::move(field), size["n_steps"], [&](const Field& now, Field& next) {
      in_parallel(ny, operations_of_cell * nx, [&](std::size_t begin, std::size_t end) {
        for (std::size_t j = begin; j < end; ++j)
          for (std::size_t i = 0; i < nx; ++i) step_cell(now.data(), next.data(), i, j, nx, ny);
      });
    });
  }
};

// What sizes are allowed; the page has the rest.
const SizeContract contract{
    .sides = {{"nx", 1, 4096}, {"ny", 1, 4096}}, .steps = "n_steps", .most_steps = 100};

}  // namespace

const Task lbm{
    .order = 6,
    .name = "lbm",
    .title = "lattice Boltzmann flow, nine directions in the plane",
    .kernels = {{.name = "lbm_step",
                 .arguments = {{0, "device const float *", "f_in", "9*NX*NY floats"},
                               {1, "device float *", "f_out", "9*NX*NY floats"},
                               {2, "constant uint &", "NX", "columns, the fast axis"},
                               {3, "constant uint &", "NY", "rows"},
                               {4, "constant float &", "tau", "relaxation time, 0.8"}}}},
    .sizes = {{"64x64_50", {{"nx", 64}, {"ny", 64}, {"n_steps", 50}}},
              {"128x128_100", {{"nx", 128}, {"ny", 128}, {"n_steps", 100}}},
              {"256x256_100", {{"nx", 256}, {"ny", 256}, {"n_steps", 100}}}},
    .held_out = Size{"192x192_75", {{"nx", 192}, {"ny", 192}, {"n_steps", 75}}},
    .small = {"64x64_4", {{"nx", 64}, {"ny", 64}, {"n_steps", 4}}},
    .ceiling = Ceiling::bandwidth,
    .unit = "GB/s (effective, 72 B/cell)",
    .plan = FieldTask<Flow>::plan,
    .reference = FieldTask<Flow>::reference,
    .reference_bytes = [](const Size& size) { return 36 * std::size_t{size["nx"]} * size["ny"]; },
    .judge = within_first("max_abs_f", 5e-4, 1e-4),
    .work = [](const Size& size) { return 72.0 * size["nx"] * size["ny"] * size["n_steps"]; },
    .intensity = [](const Size&) { return 135.0 / 72; },
    .stress = {.sizes = {{"32x48_6", {{"nx", 32}, {"ny", 48}, {"n_steps", 6}}},
                         {"37x26_5", {{"nx", 37}, {"ny", 26}, {"n_steps", 5}}}},
               .random_size = [](KeyedRandom& draws) { return draw_size(contract, draws); },
               .larger_size =
                   [](KeyedRandom& draws) {
                     return Size{"",
                                 {{"nx", draws.between(257, 290)},
                                  {"ny", draws.between(257, 290)},
                                  {"n_steps", 2}}};
                   },
               .plan = FieldTask<Flow>::strict_plan,
               .reference = FieldTask<Flow>::strict_reference},
    .derivation = lbm_derivation,
    .seed = lbm_seed,
    .page = lbm_page,
};

}  // namespace msci
