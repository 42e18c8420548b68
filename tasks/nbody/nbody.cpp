#include "tasks/nbody/nbody.h"

#include <cmath>

#include "tasks/launch.h"
#include "tasks/stress.h"

namespace msci {
namespace {

constexpr float time_step = 1e-3F;
constexpr float softening = 0.05F;
constexpr float gravity = 1.0F;
constexpr std::size_t operations_of_pair = 20;

// Positions and velocities as x, y, z of one body after the other.
struct Bodies {
  std::vector<float> positions;
  std::vector<float> velocities;
  Array<float> masses;
};

Bodies start(std::size_t n) {
  Random random(0xCAFE);
  const auto uniform = [&random](double low, double high) {
    return static_cast<float>(random.uniform(low, high));
  };
  Bodies bodies{std::vector<float>(3 * n), std::vector<float>(3 * n), Array<float>(n)};
  for (float& position : bodies.positions) position = uniform(-1, 1);
  for (float& velocity : bodies.velocities) velocity = uniform(-0.01, 0.01);
  for (float& mass : bodies.masses) mass = uniform(0.5, 1.5);
  return bodies;
}

// The steps from `bodies` on, to and fro between two pairs of buffers.
Result<Plan> plan_from(const Size& size, const Translation& program, Bodies bodies,
                       PlanBuffer second_positions, PlanBuffer second_velocities) {
  const auto group = row_group(program, "nbody_step", 128);
  if (!group) return group.error();
  const unsigned n = size["n"], steps = size["n_steps"];
  Plan plan;
  const std::size_t position[] = {plan.add(filled("posA", pack(bodies.positions))),
                                  plan.add(std::move(second_positions))};
  const std::size_t velocity[] = {plan.add(filled("velA", pack(bodies.velocities))),
                                  plan.add(std::move(second_velocities))};
  const auto mass = plan.add(filled("mass", std::move(bodies.masses)));
  const auto count = plan.add_scalar("N", n);
  const auto dt = plan.add_scalar("dt", time_step);
  const auto eps = plan.add_scalar("eps", softening);
  const auto g = plan.add_scalar("G", gravity);
  for (unsigned step = 0; step < steps; ++step) {
    const unsigned in = step % 2, out = 1 - in;
    plan.launches.push_back({.kernel = "nbody_step",
                             .grid = cover({n}, *group),
                             .threadgroup = *group,
                             .bindings = bind({position[in], position[out], velocity[in],
                                               velocity[out], mass, count, dt, eps, g})});
  }
  plan.results = {position[steps % 2]};
  return plan;
}

Result<Plan> plan(const Size& size, const Translation& program) {
  const unsigned n = size["n"];
  return plan_from(size, program, start(n), zeros<Float4>("posB", n), zeros<Float4>("velB", n));
}

// The pull of all bodies on body i, the body itself (which adds zero) included.
std::array<float, 3> acceleration(const Bodies& bodies, std::size_t i) {
  const float* r = bodies.positions.data();
  std::array<double, 3> sum{};
  for (std::size_t j = 0; j < bodies.masses.size(); ++j) {
    const float dx = r[3 * j] - r[3 * i];
    const float dy = r[3 * j + 1] - r[3 * i + 1];
    const float dz = r[3 * j + 2] - r[3 * i + 2];
    const float square = dx * dx + dy * dy + dz * dz + softening * softening;
    const float pull = bodies.masses[j] / (square * std::sqrt(square));
    sum[0] += pull * dx;
    sum[1] += pull * dy;
    sum[2] += pull * dz;
  }
  return {static_cast<float>(gravity * sum[0]), static_cast<float>(gravity * sum[1]),
          static_cast<float>(gravity * sum[2])};
}

Bytes reference(const Size& size) {
  const std::size_t n = size["n"];
  Bodies bodies = start(n);
  std::vector<std::array<float, 3>> pulls(n);
  for (unsigned step = 0; step < size["n_steps"]; ++step) {
    in_parallel(n, operations_of_pair * n, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) pulls[i] = acceleration(bodies, i);
    });
    for (std::size_t i = 0; i < 3 * n; ++i) {
      bodies.velocities[i] += pulls[i / 3][i % 3] * time_step;
      bodies.positions[i] += bodies.velocities[i] * time_step;
    }
  }
  return Bytes::of<float>(bodies.positions);
}

Verdict judge(const Size&, const Bytes& reference, const Outputs& output, const Outputs&) {
  const auto expected = reference.as<float>();
  return within("max_abs_pos", unpack(output[0].as<Float4>()), expected,
                1e-3 + 1e-3 * max_magnitude(expected), "xyz");
}

// In some runs, a part of the bodies lies far away, in some of them heavy, or close to the one
// before or in its place; or all are light and slow, or some light among heavy ones. In half of the
// runs, some lie at the kernel's own numbers.
void make_extreme(KeyedRandom& draws, Bodies& bodies, std::span<const float> numbers) {
  const auto kind = draws.between(0, 3);
  const bool are_all_light = draws.between(0, 1) == 1;
  // Beside the pulls of heavy ones, those of others do not show.
  const bool are_far_ones_heavy = draws.between(0, 1) == 1;
  constexpr float farthest = 60;
  if (!numbers.empty() && draws.between(0, 1) == 1)
    add_numbers(draws, bodies.positions, numbers, farthest);
  for (std::size_t i = 0; i < bodies.masses.size(); ++i) {
    float* const at = &bodies.positions[3 * i];
    if (kind == 1 && draws.between(0, 7) == 0) {
      const auto factor = static_cast<float>(log_uniform(draws, 3, 60));
      for (int axis = 0; axis < 3; ++axis) at[axis] *= factor;
      if (are_far_ones_heavy) bodies.masses[i] *= 100;
    }
    if (kind == 2 && i > 0 && draws.between(0, 3) == 0) {
      const bool is_same = draws.between(0, 7) == 0;
      const double distance = is_same ? 0 : log_uniform(draws, 1e-5, 0.1);
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = at[axis - 3] + static_cast<float>(draws.uniform(-distance, distance));
    }
    if (kind == 3 && (are_all_light || draws.between(0, 3) == 0)) {
      bodies.masses[i] *= static_cast<float>(log_uniform(draws, 1e-4, 0.1));
      for (std::size_t axis = 0; axis < 3; ++axis) bodies.velocities[3 * i + axis] *= 1e-2F;
    }
  }
}

// Bodies heavy and quick enough that both velocities and pulls move them by more than rounding.
Bodies strict_start(const Size& size, Key key) {
  KeyedRandom draws(key);
  const std::size_t n = size["n"];
  const auto positions = uniform(draws, 3 * n, -1, 1), velocities = uniform(draws, 3 * n, -5, 5);
  Bodies bodies{{positions.begin(), positions.end()},
                {velocities.begin(), velocities.end()},
                uniform(draws, n, 1, 20)};
  if (may_be_extreme(size, "n_steps")) make_extreme(draws, bodies, size.numbers);
  return bodies;
}

// Velocities are as much a result as positions are, and show the pulls a thousand times better.
Result<Plan> strict_plan(const Size& size, const Translation& program, Key key) {
  const unsigned n = size["n"];
  auto plan = plan_from(size, program, strict_start(size, key), poisoned<Float4>("posB", n),
                        poisoned<Float4>("velB", n));
  if (plan) plan->results.push_back(place_of(*plan, size["n_steps"] % 2 ? "velB" : "velA"));
  return plan;
}

std::array<double, 3> strict_acceleration(const std::vector<double>& r, const Array<float>& masses,
                                          std::size_t i) {
  std::array<double, 3> sum{};
  for (std::size_t j = 0; j < masses.size(); ++j) {
    const double d[] = {r[3 * j] - r[3 * i], r[3 * j + 1] - r[3 * i + 1],
                        r[3 * j + 2] - r[3 * i + 2]};
    const double square =
        d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + double{softening} * double{softening};
    const double pull = double{gravity} * masses[j] / (square * std::sqrt(square));
    for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += pull * d[axis];
  }
  return sum;
}

std::vector<Expected> strict_reference(const Size& size, Key key) {
  const Bodies bodies = strict_start(size, key);
  const std::size_t n = size["n"];
  auto positions = widened(bodies.positions), velocities = widened(bodies.velocities);
  std::vector<std::array<double, 3>> pulls(n);
  for (unsigned step = 0; step < size["n_steps"]; ++step) {
    in_parallel(n, operations_of_pair * n, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        pulls[i] = strict_acceleration(positions, bodies.masses, i);
    });
    for (std::size_t i = 0; i < 3 * n; ++i) {
      velocities[i] += pulls[i / 3][i % 3] * double{time_step};
      positions[i] += velocities[i] * double{time_step};
    }
  }
  return {{Expected::Element::point, std::move(positions)},
          {Expected::Element::point, std::move(velocities)}};
}

// What sizes are allowed; the page has the rest.
const SizeContract contract{.sides = {{"n", 1, 4096}},
                            .most_cells = 4096,
                            .few_cells = 256,
                            .steps = "n_steps",
                            .most_steps = 10};

}  // namespace

const Task nbody{
    .order = 4,
    .name = "nbody",
    .title = "gravity among all pairs of bodies",
    .kernels = {{.name = "nbody_step",
                 .arguments = {{0, "device const float4 *", "pos_in", "N positions, w = 0"},
                               {1, "device float4 *", "pos_out", "N positions, w is not checked"},
                               {2, "device const float4 *", "vel_in", "N velocities, w = 0"},
                               {3, "device float4 *", "vel_out", "N velocities, not checked"},
                               {4, "device const float *", "mass", "N masses"},
                               {5, "constant uint &", "N", "bodies"},
                               {6, "constant float &", "dt", "time step, 1e-3"},
                               {7, "constant float &", "eps", "softening length, 0.05"},
                               {8, "constant float &", "G", "gravitational constant, 1"}}}},
    .sizes = {{"256_10", {{"n", 256}, {"n_steps", 10}}},
              {"1024_10", {{"n", 1024}, {"n_steps", 10}}},
              {"2048_10", {{"n", 2048}, {"n_steps", 10}}}},
    .held_out = Size{"512_10", {{"n", 512}, {"n_steps", 10}}},
    .small = {"256_2", {{"n", 256}, {"n_steps", 2}}},
    .ceiling = Ceiling::compute,
    .unit = "GFLOPS",
    .plan = plan,
    .reference = reference,
    .reference_bytes = [](const Size& size) { return 12 * std::size_t{size["n"]}; },
    .judge = judge,
    .work = [](const Size& size) { return 20.0 * size["n"] * size["n"] * size["n_steps"]; },
    .intensity = [](const Size& size) { return 20.0 * size["n"] / 64; },
    .stress = {.sizes = {{"256_4", {{"n", 256}, {"n_steps", 4}}},
                         {"200_5", {{"n", 200}, {"n_steps", 5}}}},
               .random_size = [](KeyedRandom& draws) { return draw_size(contract, draws); },
               .plan = strict_plan,
               .reference = strict_reference},
    .derivation = nbody_derivation,
    .seed = nbody_seed,
    .page = nbody_page,
};

}  // namespace msci
