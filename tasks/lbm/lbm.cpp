#include "tasks/lbm/lbm.h"

#include <algorithm>
#include <cmath>

#include "tasks/compare.h"
#include "tasks/host.h"
#include "tasks/parallel.h"

namespace msci {
namespace {

constexpr float tau = 0.8F;

constexpr std::size_t directions = 9;
constexpr int cx[directions] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr int cy[directions] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr float weight[directions] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                      1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

// A fluid at rest, a little denser in the middle.
Array<float> start(std::size_t nx, std::size_t ny) {
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
        field[(k * ny + j) * nx + i] = weight[k] * density;
    }
  return field;
}

Result<Plan> plan(const Size& size, const Translation& program) {
  const auto group = tile_group(program, "lbm_step");
  if (!group) return group.error();
  const unsigned nx = size["nx"], ny = size["ny"], steps = size["n_steps"];
  Plan plan;
  const std::size_t field[] = {plan.add(filled("A", start(nx, ny))),
                               plan.add(zeros<float>("B", directions * nx * ny))};
  const auto columns = plan.add_scalar("NX", nx);
  const auto rows = plan.add_scalar("NY", ny);
  const auto relaxation = plan.add_scalar("tau", tau);
  for (unsigned step = 0; step < steps; ++step)
    plan.launches.push_back(
        {.kernel = "lbm_step",
         .grid = cover({nx, ny}, *group),
         .threadgroup = *group,
         .bindings = bind({field[step % 2], field[(step + 1) % 2], columns, rows, relaxation})});
  plan.results = {field[steps % 2]};
  return plan;
}

// Pulls the nine populations of cell (i, j) from upstream, relaxes them and stores them.
void step_cell(const float* in, float* out, std::size_t i, std::size_t j, std::size_t nx,
               std::size_t ny) {
  constexpr auto inverse_tau = static_cast<float>(1 / 0.8);
  float s[directions];
  float rho = 0, ux = 0, uy = 0;
  for (std::size_t k = 0; k < directions; ++k) {
    const std::size_t from_i = (i + nx - cx[k]) % nx, from_j = (j + ny - cy[k]) % ny;
    s[k] = in[(k * ny + from_j) * nx + from_i];
    rho += s[k];
    ux += static_cast<float>(cx[k]) * s[k];
    uy += static_cast<float>(cy[k]) * s[k];
  }
  ux /= rho;
  uy /= rho;
  const float usq = ux * ux + uy * uy;
  for (std::size_t k = 0; k < directions; ++k) {
    const float cu = static_cast<float>(cx[k]) * ux + static_cast<float>(cy[k]) * uy;
    const float equilibrium = (weight[k] * rho) * (((1 + 3 * cu) + (4.5F * cu) * cu) - 1.5F * usq);
    out[(k * ny + j) * nx + i] = s[k] - inverse_tau * (s[k] - equilibrium);
  }
}

Bytes reference(const Size& size) {
  const std::size_t nx = size["nx"], ny = size["ny"];
  Array<float> now = start(nx, ny), next = now;
  for (unsigned step = 0; step < size["n_steps"]; ++step) {
    in_parallel(ny, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j)
        for (std::size_t i = 0; i < nx; ++i) step_cell(now.data(), next.data(), i, j, nx, ny);
    });
    std::swap(now, next);
  }
  return {std::move(now).take_bytes()};
}

Verdict judge(const Size&, const Bytes& reference, const Outputs& output, const Outputs&) {
  const auto expected = reference.as<float>();
  return within("max_abs_f", max_difference(output[0].as<float>(), expected),
                5e-4 + 1e-4 * max_magnitude(expected));
}

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
    .held_out = {"192x192_75", {{"nx", 192}, {"ny", 192}, {"n_steps", 75}}},
    .small = {"64x64_4", {{"nx", 64}, {"ny", 64}, {"n_steps", 4}}},
    .ceiling = Ceiling::bandwidth,
    .unit = "GB/s (effective, 72 B/cell)",
    .plan = plan,
    .reference = reference,
    .judge = judge,
    .work = [](const Size& size) { return 72.0 * size["nx"] * size["ny"] * size["n_steps"]; },
    .intensity = [](const Size&) { return 135.0 / 72; },
    .seed = lbm_seed,
    .page = lbm_page,
};

}  // namespace msci
