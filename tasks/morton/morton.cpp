#include "tasks/morton/morton.h"

#include <bit>

#include "tasks/field_steps.h"
#include "tasks/launch.h"

namespace msci {
namespace {

constexpr float alpha = 0.10F;

Extent cube_of(const Size& size) { return {size["N"], size["N"], size["N"]}; }

// Moves bit b to bit 3b.
std::size_t spread(std::size_t value) {
  std::size_t result = 0;
  for (unsigned bit = 0; value >> bit != 0; ++bit) result |= (value >> bit & 1) << 3 * bit;
  return result;
}

// From row-major to Z-order, where the bits of x, y and z take turns.
template <typename Field>
Field to_z_order(const Field& field, std::size_t side) {
  Field result(field.size());
  std::vector<std::size_t> spreads;
  for (std::size_t i = 0; i < side; ++i) spreads.push_back(spread(i));
  for (std::size_t z = 0; z < side; ++z)
    for (std::size_t y = 0; y < side; ++y)
      for (std::size_t x = 0; x < side; ++x)
        result[spreads[x] | spreads[y] << 1 | spreads[z] << 2] = field[(z * side + y) * side + x];
  return result;
}

// In row-major order, in which the sums are stated; buffers and results are in Z-order.
struct Diffusion {
  static Array<float> start(const Size& size) {
    return bump(cube_of(size), static_cast<float>(0.15 * size["N"]));
  }

  // Faces that hold something, too: each must be copied.
  static Array<float> strict_start(const Size& size, Key key) {
    KeyedRandom draws(key);
    auto field = uniform(draws, cube_of(size).count(), -1, 1);
    if (size.is_drawn) add_extremes(draws, field, size.numbers);
    return field;
  }

  static Result<Plan> pass(const Size& size, const Translation& program, const Array<float>& a,
                           PlanBuffer b) {
    const auto group = row_group(program, "morton_stencil", 256);
    if (!group) return group.error();
    const unsigned side = size["N"];
    const auto log_side = static_cast<unsigned>(std::countr_zero(side));
    return field_steps({filled("A", to_z_order(a, side)), std::move(b)},
                       {scalar("N", side), scalar("logN", log_side), scalar("alpha", alpha)},
                       "morton_stencil", {static_cast<unsigned>(cube_of(size).count())}, *group,
                       size["n_steps"]);
  }

  // The faces keep what they hold.
  template <typename Field>
  static Field advance(Field field, const Size& size) {
    using Real = std::decay_t<decltype(field[0])>;
    constexpr Real rate = alpha;
    const std::size_t row = size["N"], layer = row * row;
    const auto step = [&](const Field& now, Field& next) {
      const Real* u = now.data();
      Real* out = next.data();
      for_each_interior(cube_of(size), [=](std::size_t at) {
        out[at] = u[at] + rate * laplacian(u, at, row, layer);
      });
    };
    return to_z_order(after_steps(std::move(field), size["n_steps"], step), row);
  }
};

// What sizes are allowed; the page has the rest.
const SizeContract contract{
    .sides = {{.parameter = "N", .least = 2, .most = 128, .power_of_two = true}},
    .most_cells = 128,
    .few_cells = 16,
    .steps = "n_steps",
    .most_steps = 120};

}  // namespace

const Task morton{
    .order = 12,
    .name = "morton",
    .title = "seven-point stencil over a field in Z-order",
    .kernels = {{.name = "morton_stencil",
                 .arguments = {{0, "device const float *", "u_in", "N^3 floats in Z-order"},
                               {1, "device float *", "u_out", "N^3 floats in Z-order"},
                               {2, "constant uint &", "N", "side, a power of two"},
                               {3, "constant uint &", "logN", "log2 N"},
                               {4, "constant float &", "alpha", "0.10"}}}},
    .sizes = {{"N32_120", {{"N", 32}, {"n_steps", 120}}},
              {"N64_60", {{"N", 64}, {"n_steps", 60}}},
              {"N128_30", {{"N", 128}, {"n_steps", 30}}}},
    .held_out = Size{"N256_10", {{"N", 256}, {"n_steps", 10}}},
    .small = {"N16_4", {{"N", 16}, {"n_steps", 4}}},
    .ceiling = Ceiling::bandwidth,
    .unit = "GB/s (effective, 8 B/cell)",
    .plan = FieldTask<Diffusion>::plan,
    .reference = FieldTask<Diffusion>::reference,
    .reference_bytes =
        [](const Size& size) { return 4 * std::size_t{size["N"]} * size["N"] * size["N"]; },
    .judge = within_first("max_abs", 1e-4, 1e-5),
    .work = [](const Size& size) { return 8.0 * cube_of(size).count() * size["n_steps"]; },
    .intensity = [](const Size&) { return 9.0 / 8; },
    .stress = {.sizes = {{"N32_4", {{"N", 32}, {"n_steps", 4}}},
                         {"N16_5", {{"N", 16}, {"n_steps", 5}}}},
               .random_size = [](KeyedRandom& draws) { return draw_size(contract, draws); },
               .largest_volume = 128,
               .plan = FieldTask<Diffusion>::strict_plan,
               .reference = FieldTask<Diffusion>::strict_reference},
    .derivation = morton_derivation,
    .seed = morton_seed,
    .page = morton_page,
};

}  // namespace msci
