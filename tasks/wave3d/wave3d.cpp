#include "tasks/wave3d/wave3d.h"

#include <algorithm>

#include "tasks/box.h"
#include "tasks/compare.h"
#include "tasks/host.h"

namespace msci {
namespace {

constexpr float alpha = 0.18F;

Extent box_of(const Size& size) { return {size["nx"], size["ny"], size["nz"]}; }

Array<float> start(Extent box) {
  return bump(box, static_cast<float>(0.1 * std::min({box.x, box.y, box.z})));
}

Result<Plan> plan(const Size& size, const Translation& program) {
  const auto group = brick_group(program, "wave_step");
  if (!group) return group.error();
  const Extent box = box_of(size);
  const unsigned steps = size["n_steps"];
  Plan plan;
  // The first two fields are equal: the wave starts at rest.
  const std::size_t field[] = {plan.add(filled("A", start(box))), plan.add(filled("B", start(box))),
                               plan.add(zeros<float>("C", box.count()))};
  const auto nx = plan.add_scalar("NX", box.x);
  const auto ny = plan.add_scalar("NY", box.y);
  const auto nz = plan.add_scalar("NZ", box.z);
  const auto courant = plan.add_scalar("alpha", alpha);
  for (unsigned step = 0; step < steps; ++step)
    plan.launches.push_back({.kernel = "wave_step",
                             .grid = cover(box, *group),
                             .threadgroup = *group,
                             .bindings = bind({field[step % 3], field[(step + 1) % 3],
                                               field[(step + 2) % 3], nx, ny, nz, courant})});
  plan.results = {field[(steps + 1) % 3]};
  return plan;
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

Verdict judge(const Size&, const Bytes& reference, const Outputs& output, const Outputs&) {
  const auto expected = reference.as<float>();
  return within("max_abs", max_difference(output[0].as<float>(), expected),
                1e-4 + 1e-5 * max_magnitude(expected));
}

Size cube(std::string_view label, unsigned side, unsigned steps) {
  return {label, {{"nx", side}, {"ny", side}, {"nz", side}, {"n_steps", steps}}};
}

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
    .judge = judge,
    .work = [](const Size& size) { return 12.0 * box_of(size).count() * size["n_steps"]; },
    .intensity = [](const Size&) { return 11.0 / 12; },
    .seed = wave3d_seed,
    .page = wave3d_page,
};

}  // namespace msci
