#include "tasks/adi3d/adi3d.h"

#include <cmath>

#include "tasks/field_steps.h"
#include "tasks/launch.h"

namespace msci {
namespace {

constexpr float mu = 0.5F;
constexpr unsigned group_width = 32;

Extent box_of(const Size& size) { return {size["NX"], size["NY"], size["NZ"]}; }

// What Thomas's algorithm divides and multiplies by at each place of a line; the same for all
// lines.
template <typename Real>
struct Elimination {
  std::vector<Real> pivot;  // b - a c'
  std::vector<Real> ratio;  // c'
};

template <typename Real>
Elimination<Real> eliminate(std::size_t length) {
  constexpr Real a = -mu, b = 1 + 2 * Real{mu}, c = -mu;
  Elimination<Real> result{std::vector<Real>(length), std::vector<Real>(length)};
  for (std::size_t i = 1; i + 1 < length; ++i) {
    result.pivot[i] = i == 1 ? b : b - a * result.ratio[i - 1];
    result.ratio[i] = c / result.pivot[i];
  }
  return result;
}

// Solves `lines` neighbouring lines in place, one float apart, whose values lie `stride` apart.
template <typename Real>
void solve(Real* first, std::size_t lines, std::size_t stride, std::size_t length,
           const Elimination<Real>& by) {
  const auto row = [=](std::size_t i) { return first + i * stride; };
  for (std::size_t l = 0; l < lines; ++l) {
    row(1)[l] += Real{mu} * row(0)[l];
    row(length - 2)[l] += Real{mu} * row(length - 1)[l];
    row(1)[l] /= by.pivot[1];
  }
  for (std::size_t i = 2; i + 1 < length; ++i) {
    Real* now = row(i);
    const Real* before = row(i - 1);
    for (std::size_t l = 0; l < lines; ++l) now[l] = (now[l] + Real{mu} * before[l]) / by.pivot[i];
  }
  for (std::size_t i = length - 3; i > 0; --i) {
    Real* now = row(i);
    const Real* after = row(i + 1);
    for (std::size_t l = 0; l < lines; ++l) now[l] -= by.ratio[i] * after[l];
  }
}

struct Diffusion {
  static Array<float> start(const Size& size) {
    const Extent box = box_of(size);
    return bump(box, static_cast<float>(0.15 * std::cbrt(static_cast<double>(box.count()))));
  }

  // Faces that hold something, too: they are a part of each line's equations.
  static Array<float> strict_start(const Size& size, Key key) {
    KeyedRandom draws(key);
    auto field = uniform(draws, box_of(size).count(), -1, 1);
    if (size.is_drawn) add_extremes(draws, field, size.numbers);
    return field;
  }

  // One thread per line: the grid spans the two axes across it, and is not rounded up.
  static Result<Plan> pass(const Size& size, const Translation& program, Array<float> a,
                           PlanBuffer b) {
    const Extent box = box_of(size);
    const Sweep sweeps[] = {{"adi_x", {box.y, box.z}, {group_width}},
                            {"adi_y", {box.x, box.z}, {group_width}},
                            {"adi_z", {box.x, box.y}, {group_width}}};
    for (const Sweep& sweep : sweeps)
      if (const auto group = fixed_group(program, sweep.kernel, group_width); !group)
        return group.error();
    return field_steps(
        {filled("A", std::move(a)), std::move(b)},
        {scalar("NX", box.x), scalar("NY", box.y), scalar("NZ", box.z), scalar("mu", mu)}, sweeps,
        size["n_steps"]);
  }

  template <typename Field>
  static Field advance(Field field, const Size& size) {
    using Real = std::decay_t<decltype(field[0])>;
    constexpr std::size_t operations_of_cell = 6;
    const Extent box = box_of(size);
    const std::size_t row = box.x, layer = row * box.y;
    const auto along_x = eliminate<Real>(box.x), along_y = eliminate<Real>(box.y),
               along_z = eliminate<Real>(box.z);
    Real* u = field.data();
    for (unsigned step = 0; step < size["n_steps"]; ++step) {
      in_parallel(box.z - 2, 2 * operations_of_cell * layer,
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t k = begin + 1; k < end + 1; ++k) {
                      for (std::size_t j = 1; j + 1 < box.y; ++j)
                        solve(u + k * layer + j * row, 1, 1, box.x, along_x);
                      solve(u + k * layer + 1, box.x - 2, row, box.y, along_y);
                    }
                  });
      in_parallel(box.y - 2, operations_of_cell * row * box.z,
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t j = begin + 1; j < end + 1; ++j)
                      solve(u + j * row + 1, box.x - 2, layer, box.z, along_z);
                  });
    }
    return field;
  }
};

Size box_size(std::string label, Extent box, unsigned steps) {
  return {std::move(label), {{"NX", box.x}, {"NY", box.y}, {"NZ", box.z}, {"n_steps", steps}}};
}

KernelContract sweep_contract(std::string_view kernel) {
  return {.name = std::string(kernel),
          .arguments = {{0, "device const float *", "u_in", "field, NX*NY*NZ floats"},
                        {1, "device float *", "u_out", "field, NX*NY*NZ floats"},
                        {2, "constant uint &", "NX", "cells along x, the fast axis"},
                        {3, "constant uint &", "NY", "cells along y"},
                        {4, "constant uint &", "NZ", "cells along z, the slow axis"},
                        {5, "constant float &", "mu", "0.5"}}};
}

// What sizes are allowed; the page has the rest.
const SizeContract contract{.sides = {{"NX", 32, 128, 32}, {"NY", 32, 128, 32}, {"NZ", 4, 128}},
                            .most_cells = 1 << 19,
                            .few_cells = 1 << 15,
                            .steps = "n_steps",
                            .most_steps = 20};

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
    .plan = FieldTask<Diffusion>::plan,
    .reference = FieldTask<Diffusion>::reference,
    .reference_bytes =
        [](const Size& size) { return 4 * std::size_t{size["NX"]} * size["NY"] * size["NZ"]; },
    .judge = within_first("max_abs", 1e-3, 1e-3),
    .work = [](const Size& size) { return 24.0 * box_of(size).count() * size["n_steps"]; },
    .intensity = [](const Size&) { return 15.0 / 24; },
    .stress = {.sizes = {box_size("64x32x20_3", {64, 32, 20}, 3),
                         box_size("32x96x40_2", {32, 96, 40}, 2)},
               .random_size = [](KeyedRandom& draws) { return draw_size(contract, draws); },
               .plan = FieldTask<Diffusion>::strict_plan,
               .reference = FieldTask<Diffusion>::strict_reference},
    .derivation = adi3d_derivation,
    .seed = adi3d_seed,
    .page = adi3d_page,
};

}  // namespace msci
