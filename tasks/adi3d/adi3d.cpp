#include "tasks/adi3d/adi3d.h"

#include <cmath>

#include "tasks/box.h"
#include "tasks/compare.h"
#include "tasks/host.h"

namespace msci {
namespace {

constexpr float mu = 0.5F;
constexpr unsigned group_width = 32;

Extent box_of(const Size& size) { return {size["NX"], size["NY"], size["NZ"]}; }

Array<float> start(Extent box) {
  return bump(box, static_cast<float>(0.15 * std::cbrt(static_cast<double>(box.count()))));
}

Result<Plan> plan(const Size& size, const Translation& program) {
  const Extent box = box_of(size);
  const unsigned steps = size["n_steps"];
  // One thread per line: the grid spans the two axes across it, and is not rounded up.
  struct Sweep {
    std::string_view kernel;
    Extent grid;
  };
  const Sweep sweeps[] = {
      {"adi_x", {box.y, box.z}}, {"adi_y", {box.x, box.z}}, {"adi_z", {box.x, box.y}}};
  for (const Sweep& sweep : sweeps)
    if (const auto group = fixed_group(program, sweep.kernel, group_width); !group)
      return group.error();

  Plan plan;
  const std::size_t field[] = {plan.add(filled("A", start(box))),
                               plan.add(zeros<float>("B", box.count()))};
  const auto nx = plan.add_scalar("NX", box.x);
  const auto ny = plan.add_scalar("NY", box.y);
  const auto nz = plan.add_scalar("NZ", box.z);
  const auto diffusion = plan.add_scalar("mu", mu);
  unsigned count = 0;
  for (unsigned step = 0; step < steps; ++step)
    for (const Sweep& sweep : sweeps) {
      plan.launches.push_back(
          {.kernel = std::string(sweep.kernel),
           .grid = sweep.grid,
           .threadgroup = {group_width},
           .bindings = bind({field[count % 2], field[(count + 1) % 2], nx, ny, nz, diffusion})});
      ++count;
    }
  plan.results = {field[count % 2]};
  return plan;
}

// What Thomas's algorithm divides and multiplies by at each place of a line; the same for all
// lines.
struct Elimination {
  std::vector<float> pivot;  // b - a c'
  std::vector<float> ratio;  // c'
};

Elimination eliminate(std::size_t length) {
  constexpr float a = -mu, b = 1 + 2 * mu, c = -mu;
  Elimination result{std::vector<float>(length), std::vector<float>(length)};
  for (std::size_t i = 1; i + 1 < length; ++i) {
    result.pivot[i] = i == 1 ? b : b - a * result.ratio[i - 1];
    result.ratio[i] = c / result.pivot[i];
  }
  return result;
}

// Solves `lines` neighbouring lines in place, one float apart, whose values lie `stride` apart.
void solve(float* first, std::size_t lines, std::size_t stride, std::size_t length,
           const Elimination& by) {
  const auto row = [=](std::size_t i) { return first + i * stride; };
  for (std::size_t l = 0; l < lines; ++l) {
    row(1)[l] += mu * row(0)[l];
    row(length - 2)[l] += mu * row(length - 1)[l];
    row(1)[l] /= by.pivot[1];
  }
  for (std::size_t i = 2; i + 1 < length; ++i) {
    float* now = row(i);
    const float* before = row(i - 1);
    for (std::size_t l = 0; l < lines; ++l) now[l] = (now[l] + mu * before[l]) / by.pivot[i];
  }
  for (std::size_t i = length - 3; i > 0; --i) {
    float* now = row(i);
    const float* after = row(i + 1);
    for (std::size_t l = 0; l < lines; ++l) now[l] -= by.ratio[i] * after[l];
  }
}

Bytes reference(const Size& size) {
  const Extent box = box_of(size);
  const std::size_t row = box.x, layer = row * box.y;
  const auto along_x = eliminate(box.x), along_y = eliminate(box.y), along_z = eliminate(box.z);
  Array<float> field = start(box);
  float* u = field.data();
  for (unsigned step = 0; step < size["n_steps"]; ++step) {
    in_parallel(box.z - 2, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin + 1; k < end + 1; ++k) {
        for (std::size_t j = 1; j + 1 < box.y; ++j)
          solve(u + k * layer + j * row, 1, 1, box.x, along_x);
        solve(u + k * layer + 1, box.x - 2, row, box.y, along_y);
      }
    });
    in_parallel(box.y - 2, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin + 1; j < end + 1; ++j)
        solve(u + j * row + 1, box.x - 2, layer, box.z, along_z);
    });
  }
  return {std::move(field).take_bytes()};
}

Verdict judge(const Size&, const Bytes& reference, const Outputs& output, const Outputs&) {
  const auto expected = reference.as<float>();
  return within("max_abs", max_difference(output[0].as<float>(), expected),
                1e-3 + 1e-3 * max_magnitude(expected));
}

Size box_size(std::string_view label, Extent box, unsigned steps) {
  return {label, {{"NX", box.x}, {"NY", box.y}, {"NZ", box.z}, {"n_steps", steps}}};
}

KernelContract sweep_contract(std::string_view kernel) {
  return {.name = kernel,
          .arguments = {{0, "device const float *", "u_in", "field, NX*NY*NZ floats"},
                        {1, "device float *", "u_out", "field, NX*NY*NZ floats"},
                        {2, "constant uint &", "NX", "cells along x, the fast axis"},
                        {3, "constant uint &", "NY", "cells along y"},
                        {4, "constant uint &", "NZ", "cells along z, the slow axis"},
                        {5, "constant float &", "mu", "0.5"}}};
}

}  // namespace

const Task adi3d{
    .order = 11,
    .name = "adi3d",
    .title = "implicit diffusion by tridiagonal solves along x, y and z in turn",
    .kernels = {sweep_contract("adi_x"), sweep_contract("adi_y"), sweep_contract("adi_z")},
    .sizes = {box_size("N64_20", {64, 64, 64}, 20), box_size("N96_15", {96, 96, 96}, 15),
              box_size("N128_10", {128, 128, 128}, 10)},
    .held_out = box_size("P256x192x128_10", {256, 192, 128}, 10),
    .small = box_size("N32_2", {32, 32, 32}, 2),
    .ceiling = Ceiling::bandwidth,
    .unit = "GB/s (effective, 24 B/cell/step across 3 sweeps)",
    .plan = plan,
    .reference = reference,
    .judge = judge,
    .work = [](const Size& size) { return 24.0 * box_of(size).count() * size["n_steps"]; },
    .intensity = [](const Size&) { return 15.0 / 24; },
    .seed = adi3d_seed,
    .page = adi3d_page,
};

}  // namespace msci
