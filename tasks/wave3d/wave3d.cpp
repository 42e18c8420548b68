#include "tasks/wave3d/wave3d.h"

#include <algorithm>

#include "tasks/field_steps.h"
#include "tasks/launch.h"

namespace msci {
namespace {

constexpr float alpha = 0.18F;

Extent box_of(const Size& size) { return {size["nx"], size["ny"], size["nz"]}; }

Array<float> start(Extent box) {
  return bump(box, static_cast<float>(0.1 * std::min({box.x, box.y, box.z})));
}

// The steps over three fields that change roles.
Result<Plan> plan_from(const Size& size, const Translation& program, Array<float> previous,
                       Array<float> current, PlanBuffer third) {
  const auto group = brick_group(program, "wave_step");
  if (!group) return group.error();
  const Extent box = box_of(size);
  return field_steps(
      {filled("A", std::move(previous)), filled("B", std::move(current)), std::move(third)},
      {scalar("NX", box.x), scalar("NY", box.y), scalar("NZ", box.z), scalar("alpha", alpha)},
      "wave_step", box, *group, size["n_steps"]);
}

// The first two fields are equal: the wave starts at rest.
Result<Plan> plan(const Size& size, const Translation& program) {
  const Extent box = box_of(size);
  return plan_from(size, program, start(box), start(box), zeros<float>("C", box.count()));
}

// The next field takes the place of the previous one, of which each cell needs only its own value.
// The faces keep their zeros.
Bytes reference(const Size& size) {
  const Extent box = box_of(size);
  const std::size_t row = box.x, layer = row * box.y;
  Array<float> previous = start(box), current = previous;
  for (unsigned step = 0; step < size["n_steps"]; ++step) {
    const float* u = current.data();
    float* next = previous.data();
    for_each_interior(box, [=](std::size_t at) {
      next[at] = (2 * u[at] - next[at]) + alpha * laplacian(u, at, row, layer);
    });
    std::swap(previous, current);
  }
  return {std::move(current).take_bytes()};
}

struct Fields {
  Array<float> previous;
  Array<float> current;
};

// A wave in motion, with faces that hold something, too: each must be copied.
Fields strict_start(const Size& size, Key key) {
  KeyedRandom draws(key);
  const auto cells = box_of(size).count();
  auto previous = uniform(draws, cells, -1, 1);
  auto current = uniform(draws, cells, -1, 1);
  if (size.is_drawn) {
    add_extremes(draws, previous, size.numbers);
    add_extremes(draws, current, size.numbers);
  }
  return {std::move(previous), std::move(current)};
}

Result<Plan> strict_plan(const Size& size, const Translation& program, Key key) {
  auto [previous, current] = strict_start(size, key);
  auto third = poisoned<float>("C", current.size());
  return plan_from(size, program, std::move(previous), std::move(current), std::move(third));
}

std::vector<Expected> strict_reference(const Size& size, Key key) {
  const Extent box = box_of(size);
  const std::size_t row = box.x, layer = row * box.y;
  const auto fields = strict_start(size, key);
  auto previous = widened(fields.previous), current = widened(fields.current);
  for (unsigned step = 0; step < size["n_steps"]; ++step) {
    auto next = current;
    for_each_interior(box, [&](std::size_t at) {
      next[at] = 2 * current[at] - previous[at] +
                 double{alpha} * laplacian(current.data(), at, row, layer);
    });
    previous = std::move(current);
    current = std::move(next);
  }
  return {{.values = std::move(current)}};
}

Size box_size(std::string label, Extent box, unsigned steps) {
  return {std::move(label), {{"nx", box.x}, {"ny", box.y}, {"nz", box.z}, {"n_steps", steps}}};
}

Size cube(std::string label, unsigned side, unsigned steps) {
  return box_size(std::move(label), {side, side, side}, steps);
}

// What sizes are allowed; the page has the rest.
const SizeContract contract{.sides = {{"nx", 1, 1024}, {"ny", 1, 1024}, {"nz", 1, 1024}},
                            .steps = "n_steps",
                            .most_steps = 30};

}  // namespace

const Task wave3d{
    .order = 3,
    .name = "wave3d",
    .title = "3-D wave equation, seven-point stencil, leapfrog in time",
    .kernels = {{.name = "wave_step",
                 .arguments = {{0, "device const float *", "u_prev", "field at step n-1"},
                               {1, "device const float *", "u_curr", "field at step n"},
                               {2, "device float *", "u_next", "field at step n+1"},
                               {3, "constant uint &", "NX", "cells along x, the fast axis"},
                               {4, "constant uint &", "NY", "cells along y"},
                               {5, "constant uint &", "NZ", "cells along z, the slow axis"},
                               {6, "constant float &", "alpha", "0.18"}}}},
    .sizes = {cube("64x64x64_30", 64, 30), cube("160x160x160_20", 160, 20),
              cube("192x192x192_15", 192, 15)},
    .held_out = cube("128x128x128_20", 128, 20),
    .small = cube("32x32x32_4", 32, 4),
    .ceiling = Ceiling::bandwidth,
    .unit = "GB/s (effective, 12 B/cell)",
    .plan = plan,
    .reference = reference,
    .reference_bytes =
        [](const Size& size) { return 4 * std::size_t{size["nx"]} * size["ny"] * size["nz"]; },
    .judge = within_first("max_abs", 1e-4, 1e-5),
    .work = [](const Size& size) { return 12.0 * box_of(size).count() * size["n_steps"]; },
    .intensity = [](const Size&) { return 11.0 / 12; },
    .stress = {.sizes = {box_size("32x16x24_5", {32, 16, 24}, 5),
                         box_size("21x18x13_4", {21, 18, 13}, 4)},
               .random_size = [](KeyedRandom& draws) { return draw_size(contract, draws); },
               .plan = strict_plan,
               .reference = strict_reference},
    .derivation = wave3d_derivation,
    .seed = wave3d_seed,
    .page = wave3d_page,
};

}  // namespace msci
