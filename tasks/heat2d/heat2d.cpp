#include "tasks/heat2d/heat2d.h"

#include "tasks/launch.h"
#include "tasks/max_difference.h"
#include "tasks/parallel.h"
#include "tasks/random.h"
#include "tasks/stress.h"

namespace msci {
namespace {

constexpr float alpha = 0.2F;

// Uniform values with edges of exactly zero.
Array<float> start(std::size_t nx, std::size_t ny) {
  Random random(0xC0DE);
  Array<float> field(nx * ny);
  for (float& value : field) value = static_cast<float>(random.uniform());
  for (std::size_t i = 0; i < nx; ++i) field[i] = field[(ny - 1) * nx + i] = 0;
  for (std::size_t j = 0; j < ny; ++j) field[j * nx] = field[j * nx + nx - 1] = 0;
  return field;
}

// The steps from `first` to the other field and back.
Result<Plan> plan_from(const Size& size, const Translation& program, Array<float> first,
                       PlanBuffer second) {
  const auto group = tile_group(program, "heat_step");
  if (!group) return group.error();
  const unsigned nx = size["nx"], ny = size["ny"], steps = size["n_steps"];
  Plan plan;
  const std::size_t field[] = {plan.add(filled("A", std::move(first))),
                               plan.add(std::move(second))};
  const auto columns = plan.add_scalar("NX", nx);
  const auto rows = plan.add_scalar("NY", ny);
  const auto diffusion = plan.add_scalar("alpha", alpha);
  for (unsigned step = 0; step < steps; ++step)
    plan.launches.push_back(
        {.kernel = "heat_step",
         .grid = cover({nx, ny}, *group),
         .threadgroup = *group,
         .bindings = bind({field[step % 2], field[(step + 1) % 2], columns, rows, diffusion})});
  plan.results = {field[steps % 2]};
  return plan;
}

Result<Plan> plan(const Size& size, const Translation& program) {
  const std::size_t nx = size["nx"], ny = size["ny"];
  return plan_from(size, program, start(nx, ny), zeros<float>("B", nx * ny));
}

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

// The field after all steps, in the precision of its values.
template <typename Field>
Field advance(Field now, const Size& size) {
  const std::size_t nx = size["nx"], ny = size["ny"];
  Field next = now;
  for (unsigned step = 0; step < size["n_steps"]; ++step) {
    in_parallel(ny - 2, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin + 1; j < end + 1; ++j) step_row(&now[j * nx], &next[j * nx], nx);
    });
    std::swap(now, next);
  }
  return now;
}

Bytes reference(const Size& size) {
  return {advance(start(size["nx"], size["ny"]), size).take_bytes()};
}

Verdict judge(const Size&, const Bytes& reference, const Outputs& output, const Outputs&) {
  const auto expected = reference.as<float>();
  return within("max_abs", output[0].as<float>(), expected, 1e-4 + 1e-5 * max_magnitude(expected));
}

// Edges that hold something, too: each must be copied.
Array<float> strict_start(const Size& size, Key key) {
  KeyedRandom draws(key);
  return uniform(draws, std::size_t{size["nx"]} * size["ny"], -1, 1);
}

Result<Plan> strict_plan(const Size& size, const Translation& program, Key key) {
  auto first = strict_start(size, key);
  auto second = poisoned<float>("B", first.size());
  return plan_from(size, program, std::move(first), std::move(second));
}

std::vector<Expected> strict_reference(const Size& size, Key key) {
  return {{.values = advance(widened(strict_start(size, key)), size)}};
}

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
    .plan = plan,
    .reference = reference,
    .reference_bytes = [](const Size& size) { return 4 * std::size_t{size["nx"]} * size["ny"]; },
    .judge = judge,
    .work = [](const Size& size) { return 8.0 * size["nx"] * size["ny"] * size["n_steps"]; },
    .intensity = [](const Size&) { return 7.0 / 8; },
    .stress = {.sizes = {{"64x32_6", {{"nx", 64}, {"ny", 32}, {"n_steps", 6}}},
                         {"50x37_5", {{"nx", 50}, {"ny", 37}, {"n_steps", 5}}}},
               .random_size =
                   [](KeyedRandom& draws) {
                     return Size{"",
                                 {{"nx", draws.between(3, 600)},
                                  {"ny", draws.between(3, 600)},
                                  {"n_steps", draws.between(2, 5)}}};
                   },
               .larger_size =
                   [](KeyedRandom& draws) {
                     return Size{"",
                                 {{"nx", draws.between(1025, 1150)},
                                  {"ny", draws.between(1025, 1150)},
                                  {"n_steps", 2}}};
                   },
               .plan = strict_plan,
               .reference = strict_reference},
    .derivation = heat2d_derivation,
    .seed = heat2d_seed,
    .page = heat2d_page,
};

}  // namespace msci
