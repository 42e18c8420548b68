#include "tasks/gradshaf/gradshaf.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "tasks/field_steps.h"
#include "tasks/launch.h"

namespace msci {
namespace {

constexpr float r_min = 1.0F;
constexpr float p_axis = 200.0F;
constexpr float mu0 = 1.0F;
constexpr float omega = 1.0F;

// Cells of a unit length with a point at either end.
float spacing(unsigned points) { return static_cast<float>(1.0 / (points - 1)); }

// A product of two half sine waves, with edges of exactly zero.
Array<float> start(std::size_t nr, std::size_t nz) {
  const auto half_wave = [](std::size_t at, std::size_t points) {
    const auto u = static_cast<float>(static_cast<double>(at) / static_cast<double>(points - 1));
    return std::sin(std::numbers::pi_v<float> * u);
  };
  Array<float> psi(nr * nz);
  for (std::size_t j = 1; j + 1 < nz; ++j)
    for (std::size_t i = 1; i + 1 < nr; ++i) psi[j * nr + i] = half_wave(j, nz) * half_wave(i, nr);
  return psi;
}

// The steps from `first` to the other field and back.
Result<Plan> plan_from(const Size& size, const Translation& program, Array<float> first,
                       PlanBuffer second, PlanBuffer largest) {
  const auto limit = row_group(program, "gradshaf_axis_reduce", 256);
  if (!limit) return limit.error();
  const Extent reduce_group{std::bit_floor(limit->x)};
  const auto step_group = tile_group(program, "gradshaf_step");
  if (!step_group) return step_group.error();

  const unsigned nr = size["nr"], nz = size["nz"], steps = size["k"];
  Plan plan;
  const std::size_t field[] = {plan.add(filled("A", std::move(first))),
                               plan.add(std::move(second))};
  const auto axis = plan.add(std::move(largest));
  const auto columns = plan.add_scalar("NR", nr);
  const auto rows = plan.add_scalar("NZ", nz);
  const auto inner = plan.add_scalar("Rmin", r_min);
  const auto dr = plan.add_scalar("dR", spacing(nr));
  const auto dz = plan.add_scalar("dZ", spacing(nz));
  const auto pressure = plan.add_scalar("p_axis", p_axis);
  const auto permeability = plan.add_scalar("mu0", mu0);
  const auto relaxation = plan.add_scalar("omega", omega);
  for (unsigned step = 0; step < steps; ++step) {
    const auto in = field[step % 2], out = field[(step + 1) % 2];
    plan.launches.push_back({.kernel = "gradshaf_axis_reduce",
                             .grid = reduce_group,
                             .threadgroup = reduce_group,
                             .bindings = bind({in, axis, columns, rows})});
    plan.launches.push_back({.kernel = "gradshaf_step",
                             .grid = cover({nr, nz}, *step_group),
                             .threadgroup = *step_group,
                             .bindings = bind({in, out, axis, columns, rows, inner, dr, dz,
                                               pressure, permeability, relaxation})});
  }
  plan.results = {field[steps % 2]};
  return plan;
}

Result<Plan> plan(const Size& size, const Translation& program) {
  const std::size_t nr = size["nr"], nz = size["nz"];
  return plan_from(size, program, start(nr, nz), zeros<float>("B", nr * nz),
                   zeros<float>("psi_axis", 1));
}

template <typename Field>
auto interior_maximum(const Field& psi, std::size_t nr, std::size_t nz) {
  auto largest = psi[nr + 1];
  for (std::size_t j = 1; j + 1 < nz; ++j)
    for (std::size_t i = 1; i + 1 < nr; ++i) largest = std::max(largest, psi[j * nr + i]);
  return largest;
}

// The relaxed value of the cell at `c`, whose distance from the axis of the torus is `r`.
template <typename Real>
Real relax(const Real* c, std::size_t row, Real r, Real dr, Real dz, Real axis) {
  const Real i2r = 1 / (dr * dr), i2z = 1 / (dz * dz), slope = Real{0.5} / (r * dr);
  const Real west = i2r + slope, east = i2r - slope, centre = -2 * i2r - 2 * i2z;
  const Real n = *c / axis;
  const Real current = n > 0 && n < 1 ? (((r * Real{p_axis}) * 4) * n) * (1 - n) : 0;
  const Real source = (-Real{mu0} * r) * current;
  const Real operated =
      (((west * c[-1] + east * c[1]) + i2z * *(c - row)) + i2z * c[row]) + centre * *c;
  return *c + (Real{omega} * (source - operated)) / centre;
}

// The field after so many steps, in the precision of its values.
template <typename Field>
Field advance(Field field, const Size& size, unsigned steps) {
  using Real = std::decay_t<decltype(field[0])>;
  constexpr std::size_t operations_of_point = 30;
  const std::size_t nr = size["nr"], nz = size["nz"];
  const Real dr = spacing(size["nr"]), dz = spacing(size["nz"]);
  return after_steps(std::move(field), steps, [&](const Field& now, Field& next) {
    const Real axis = interior_maximum(now, nr, nz);
    in_parallel(nz - 2, operations_of_point * nr, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin + 1; j < end + 1; ++j)
        for (std::size_t i = 1; i + 1 < nr; ++i) {
          const Real r = Real{r_min} + static_cast<Real>(i) * dr;
          next[j * nr + i] = relax(&now[j * nr + i], nr, r, dr, dz, axis);
        }
    });
  });
}

Bytes reference(const Size& size) {
  return {advance(start(size["nr"], size["nz"]), size, size["k"]).take_bytes()};
}

// In some runs, all values are negative, so that the axis is; or of another magnitude; or few are
// far larger, or the kernel's own numbers.
void make_extreme(KeyedRandom& draws, Array<float>& psi, std::span<const float> numbers) {
  const auto kind = draws.between(0, numbers.empty() ? 3 : 4);
  constexpr float largest = 1e3F;
  if (kind == 4) add_numbers(draws, psi, numbers, largest);
  const auto factor = static_cast<float>(log_uniform(draws, kind == 1 ? 0.1 : 1e-3, 1e3));
  for (float& value : psi) {
    if (kind == 1) value = (value - 2.1F) * factor;
    if (kind == 2) value *= factor;
    if (kind == 3 && draws.between(0, 63) == 0) value *= 50;
  }
}

// Values on either side of zero, so that the current has both its branches, and edges that exceed
// the largest inside, which they must not become.
Array<float> strict_start(const Size& size, Key key) {
  KeyedRandom draws(key);
  const std::size_t nr = size["nr"], nz = size["nz"];
  Array<float> psi = uniform(draws, nr * nz, -0.3, 1);
  for (std::size_t i = 0; i < nr; ++i)
    for (const std::size_t at : {i, (nz - 1) * nr + i}) psi[at] += 1;
  for (std::size_t j = 0; j < nz; ++j)
    for (const std::size_t at : {j * nr, j * nr + nr - 1}) psi[at] += 1;
  if (may_be_extreme(size, "k")) make_extreme(draws, psi, size.numbers);
  return psi;
}

Result<Plan> strict_plan(const Size& size, const Translation& program, Key key) {
  auto first = strict_start(size, key);
  auto second = poisoned<float>("B", first.size());
  auto plan =
      plan_from(size, program, std::move(first), std::move(second), poisoned<float>("psi_axis", 1));
  if (plan) plan->results.push_back(place_of(*plan, "psi_axis"));
  return plan;
}

// How much more than a value, relative to the axis, the step of a point changes with it: by the
// current there. Above 1 on coarse grids, 60 on one of 4x4.
double amplification(const Size& size, double r) {
  const double dr = spacing(size["nr"]), dz = spacing(size["nz"]);
  return mu0 * r * r * p_axis * 4 / (2 / (dr * dr) + 2 / (dz * dz));
}

// What a value that is the axis may get of a current, which is 0 there: a kernel that multiplies by
// the reciprocal of the axis finds the ratio two roundings below 1. By column.
std::vector<double> rounding_at_axis(const Size& size) {
  constexpr double below_one = 0x1p-23;
  std::vector<double> rounding(size["nr"]);
  for (std::size_t i = 0; i < rounding.size(); ++i)
    rounding[i] = below_one *
                  amplification(size, r_min + static_cast<double>(i) * double{spacing(size["nr"])});
  return rounding;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

// How far right fields may lie apart, before the last step and after it.
struct Spread {
  double before = 0;
  double after = 0;
};

// The roundings of a step grow in those behind it where the grid amplifies. So much do fields
// differ whose values are moved by roundings of either sign after each step.
Spread spread_of_roundings(const Size& size, Key key, const std::vector<double>& first,
                           const std::vector<double>& before, const std::vector<double>& after) {
  constexpr double farthest_r = 2, rounding = 0x1p-23, margin = 32;
  constexpr unsigned fields = 8;
  if (amplification(size, farthest_r) < 1) return {};
  KeyedRandom signs(key);
  Spread spread;
  for (unsigned i = 0; i < fields; ++i) {
    auto field = first;
    for (unsigned step = 1; step < size["k"]; ++step) {
      field = advance(std::move(field), size, 1);
      for (double& value : field) value *= 1 + (signs.between(0, 1) == 0 ? rounding : -rounding);
    }
    spread.before = std::max(spread.before, margin * largest_difference(field, before));
    field = advance(std::move(field), size, 1);
    spread.after = std::max(spread.after, margin * largest_difference(field, after));
  }
  return spread;
}

// The axis is as much a result as the field, which shows it only where the current is strong.
std::vector<Expected> strict_reference(const Size& size, Key key) {
  constexpr double rounding = 2e-5;  // of a field, relative to its largest value
  const auto first = widened(strict_start(size, key));
  const auto before = advance(first, size, size["k"] - 1);
  auto after = advance(before, size, 1);
  const double axis = interior_maximum(before, size["nr"], size["nz"]);
  double scale = 0;
  for (const double value : before) scale = std::max(scale, std::abs(value));
  const auto spread = spread_of_roundings(size, key, first, before, after);
  auto of_field = rounding_at_axis(size);
  for (double& each : of_field) each = std::max(each, spread.after);
  return {{.values = std::move(after), .rounding = std::move(of_field)},
          {.values = {axis}, .rounding = {std::max(rounding * scale, spread.before)}}};
}

// What sizes are allowed; the page has the rest.
const SizeContract contract{
    .sides = {{"nr", 3, 4096}, {"nz", 3, 4096}}, .steps = "k", .most_steps = 40};

}  // namespace

const Task gradshaf{
    .order = 9,
    .name = "gradshaf",
    .title = "Grad-Shafranov equilibrium: a maximum, then a relaxation step",
    .kernels = {{.name = "gradshaf_axis_reduce",
                 .arguments = {{0, "device const float *", "psi", "field, NR*NZ floats"},
                               {1, "device float *", "psi_axis", "its largest interior value"},
                               {2, "constant uint &", "NR", "points along R, the fast axis"},
                               {3, "constant uint &", "NZ", "points along Z"}}},
                {.name = "gradshaf_step",
                 .arguments = {{0, "device const float *", "psi_in", "field, NR*NZ floats"},
                               {1, "device float *", "psi_out", "field, NR*NZ floats"},
                               {2, "device const float *", "psi_axis", "one float"},
                               {3, "constant uint &", "NR", "points along R, the fast axis"},
                               {4, "constant uint &", "NZ", "points along Z"},
                               {5, "constant float &", "Rmin", "1"},
                               {6, "constant float &", "dR", "1/(NR-1)"},
                               {7, "constant float &", "dZ", "1/(NZ-1)"},
                               {8, "constant float &", "p_axis", "200"},
                               {9, "constant float &", "mu0", "1"},
                               {10, "constant float &", "omega", "relaxation, 1"}}}},
    .sizes = {{"65x65_30", {{"nr", 65}, {"nz", 65}, {"k", 30}}},
              {"257x257_40", {{"nr", 257}, {"nz", 257}, {"k", 40}}},
              {"513x513_30", {{"nr", 513}, {"nz", 513}, {"k", 30}}}},
    .held_out = Size{"129x129_35", {{"nr", 129}, {"nz", 129}, {"k", 35}}},
    .small = {"65x65_2", {{"nr", 65}, {"nz", 65}, {"k", 2}}},
    .ceiling = Ceiling::bandwidth,
    .unit = "GB/s (effective, 12 B/cell)",
    .plan = plan,
    .reference = reference,
    .reference_bytes = [](const Size& size) { return 4 * std::size_t{size["nr"]} * size["nz"]; },
    .judge = within_first("max_abs", 1e-4, 1e-5),
    .work = [](const Size& size) { return 12.0 * size["nr"] * size["nz"] * size["k"]; },
    .intensity = [](const Size&) { return 28.0 / 12; },
    .stress = {.sizes = {{"33x49_6", {{"nr", 33}, {"nz", 49}, {"k", 6}}},
                         {"50x37_5", {{"nr", 50}, {"nz", 37}, {"k", 5}}}},
               .random_size = [](KeyedRandom& draws) { return draw_size(contract, draws); },
               .larger_size =
                   [](KeyedRandom& draws) {
                     return Size{"",
                                 {{"nr", draws.between(514, 560)},
                                  {"nz", draws.between(514, 560)},
                                  {"k", 2}}};
                   },
               .steps = "k",
               .plan = strict_plan,
               .reference = strict_reference},
    .derivation = gradshaf_derivation,
    .seed = gradshaf_seed,
    .page = gradshaf_page,
};

}  // namespace msci
