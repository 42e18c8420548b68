#include "tasks/ising/ising.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/for_each_processor.h"
#include "tasks/launch.h"
#include "tasks/stress.h"

namespace msci {
namespace {

using Spin = signed char;

constexpr double beta = 0.42;
constexpr std::uint32_t kernel_seed = 0xC0FFEE01;

// Spins of +1 and -1, four to a draw: the top bit of each byte.
Array<Spin> start(std::size_t sites) {
  Random random(0xBADC0DE);
  Array<Spin> spins(sites);
  std::uint32_t draw = 0;
  for (std::size_t i = 0; i < sites; ++i) {
    draw = i % 4 == 0 ? random.draw32() : draw >> 8;
    spins[i] = draw & 0x80 ? 1 : -1;
  }
  return spins;
}

// The chance to flip a spin s among neighbours that sum to h, at (s*h + 4) / 2.
Array<float> acceptance() {
  Array<float> table(5);
  table[0] = table[1] = table[2] = 1;
  table[3] = static_cast<float>(std::exp(-4 * beta));
  table[4] = static_cast<float>(std::exp(-8 * beta));
  return table;
}

// All that a pass hangs on beside its size.
struct Start {
  Array<Spin> spins;
  Array<float> accept;
  std::uint32_t seed = 0;
};

Start start(const Size& size) {
  return {start(std::size_t{size["nx"]} * size["ny"]), acceptance(), kernel_seed};
}

Result<Plan> plan_from(const Size& size, const Translation& program, Start start) {
  const auto group = tile_group(program, "ising_step");
  if (!group) return group.error();
  const unsigned nx = size["nx"], ny = size["ny"], passes = 2 * size["n_sweeps"];
  Array<std::uint32_t> numbers(passes);
  for (unsigned step = 0; step < passes; ++step) numbers[step] = step;

  Plan plan;
  const auto spins = plan.add(filled("spins", std::move(start.spins)));
  const auto table = plan.add(filled("p_accept", std::move(start.accept)));
  const auto columns = plan.add_scalar("NX", nx);
  const auto rows = plan.add_scalar("NY", ny);
  const auto steps = plan.add(filled("step_idx", std::move(numbers)));
  const auto seed = plan.add_scalar("seed", start.seed);
  for (unsigned step = 0; step < passes; ++step) {
    auto bindings = bind({spins, table, columns, rows, steps, seed});
    bindings[4].offset = step * sizeof(std::uint32_t);  // each dispatch sees its own number
    plan.launches.push_back({.kernel = "ising_step",
                             .grid = cover({nx, ny}, *group),
                             .threadgroup = *group,
                             .bindings = std::move(bindings)});
  }
  plan.results = {spins};
  return plan;
}

Result<Plan> plan(const Size& size, const Translation& program) {
  return plan_from(size, program, start(size));
}

// What decides about the spins of one row in one pass.
struct Row {
  const Spin* spins;
  const Spin* below;
  const Spin* above;
  std::uint32_t key;
  std::uint32_t first_site;
  std::uint32_t colour;  // of the columns that the pass updates: even or odd
};

using Chances = std::array<float, 5>;

// The spin at column i after the pass; `left` and `right` are its neighbours in the row.
[[gnu::always_inline]] inline Spin updated(const Row& row, std::uint32_t i, int left, int right,
                                           const Chances& accept) {
  const int spin = row.spins[i];
  const int along = spin * (left + right + row.below[i] + row.above[i]);
  const auto bits = static_cast<std::int32_t>(mix(row.key ^ (row.first_site + i)) >> 8);
  const float u = static_cast<float>(bits) * 0x1p-24F;
  // The table without a look-up, which vectors do slowly.
  float chance = accept[0];
  chance = along >= -2 ? accept[1] : chance;
  chance = along >= 0 ? accept[2] : chance;
  chance = along >= 2 ? accept[3] : chance;
  chance = along >= 4 ? accept[4] : chance;
  const bool flips = (u < chance) & ((i & 1U) == row.colour);
  return static_cast<Spin>(flips ? -spin : spin);
}

// The row after the pass, which changes the sites of one colour; their neighbours have the other
// one.
MSCI_FOR_EACH_PROCESSOR
void update_row(const Row& from, std::uint32_t nx, const Chances& accept, Spin* __restrict to) {
  const Row row = from;
  const Chances chances = accept;
  to[0] = updated(row, 0, row.spins[nx - 1], row.spins[1], chances);
  for (std::uint32_t i = 1; i < nx - 1; ++i)
    to[i] = updated(row, i, row.spins[i - 1], row.spins[i + 1], chances);
  to[nx - 1] = updated(row, nx - 1, row.spins[nx - 2], row.spins[0], chances);
}

Array<Spin> advance(const Size& size, Start start) {
  constexpr std::size_t operations_of_site = 5;
  const std::uint32_t nx = size["nx"], ny = size["ny"];
  Chances accept{};
  std::ranges::copy(start.accept, accept.begin());
  Array<Spin> from = std::move(start.spins), to(from.size());
  for (std::uint32_t step = 0; step < 2 * size["n_sweeps"]; ++step) {
    in_parallel(ny, operations_of_site * nx, [&](std::size_t begin, std::size_t end) {
      for (auto j = static_cast<std::uint32_t>(begin); j < end; ++j) {
        const Spin* spins = from.data();
        update_row({.spins = spins + std::size_t{j} * nx,
                    .below = spins + std::size_t{j == 0 ? ny - 1 : j - 1} * nx,
                    .above = spins + std::size_t{j == ny - 1 ? 0 : j + 1} * nx,
                    .key = mix(start.seed + step * 0x9E3779B9),
                    .first_site = j * nx,
                    .colour = (j + step) % 2},
                   nx, accept, to.data() + std::size_t{j} * nx);
      }
    });
    std::swap(from, to);
  }
  return from;
}

Bytes reference(const Size& size) { return {advance(size, start(size)).take_bytes()}; }

Verdict judge(const Size&, const Bytes& reference, const Outputs& output, const Outputs&) {
  const auto got = output[0].as<Spin>(), expected = reference.as<Spin>();
  auto differences = find_differences(
      expected.size(), [&](std::size_t i) { return got[i]; },
      [&](std::size_t i) { return expected[i]; },
      [](std::size_t, double spin, double right) { return spin != right; },
      [&](std::size_t i) {
        return difference_text(fmt::format("[{}]", i), std::to_string(got[i]),
                               std::to_string(expected[i]));
      });
  Verdict verdict{.correct = differences.wrong == 0,
                  .error_value = static_cast<double>(differences.wrong),
                  .error_kind = "spin_disagreements"};
  if (!verdict.correct) verdict.differences = std::move(differences);
  return verdict;
}

// Another temperature, and random numbers that no table can hold.
Start strict_start(const Size& size, Key key) {
  KeyedRandom draws(key);
  Start start{Array<Spin>(std::size_t{size["nx"]} * size["ny"]), acceptance(),
              static_cast<std::uint32_t>(draws.next())};
  // At drawn sizes, also all up, all down, and the ends of the table's range.
  const double up = size.is_drawn ? draws.uniform(-0.1, 1.1) : 0.6;
  for (Spin& spin : start.spins) spin = draws.uniform(0, 1) < up ? 1 : -1;
  const double least = size.is_drawn ? 0 : 0.4, most = size.is_drawn ? 1 : 0.7;
  start.accept[3] = static_cast<float>(draws.uniform(least, most));
  start.accept[4] = static_cast<float>(draws.uniform(least / 4, size.is_drawn ? most : 0.3));
  return start;
}

Result<Plan> strict_plan(const Size& size, const Translation& program, Key key) {
  return plan_from(size, program, strict_start(size, key));
}

// All of it is integers and exact comparisons, so the seed's error is none and the tolerance, too.
std::vector<Expected> strict_reference(const Size& size, Key key) {
  return {{Expected::Element::spin, widened(advance(size, strict_start(size, key)))}};
}

// What sizes are allowed; the page has the rest.
const SizeContract contract{
    .sides = {{"nx", 16, 4096, 2}, {"ny", 16, 4096, 2}}, .steps = "n_sweeps", .most_steps = 100};

}  // namespace

const Task ising{
    .order = 7,
    .name = "ising",
    .title = "Ising model, checkerboard Metropolis updates",
    .kernels = {{.name = "ising_step",
                 .arguments = {{0, "device char *", "spins", "NX*NY spins, +1 or -1, in place"},
                               {1, "device const float *", "p_accept", "5 chances to flip"},
                               {2, "constant uint &", "NX", "columns, the fast axis"},
                               {3, "constant uint &", "NY", "rows"},
                               {4, "constant uint &", "step_idx",
                                "0, 1, 2, ...; its parity is the colour"},
                               {5, "constant uint &", "seed", "0xC0FFEE01"}}}},
    .sizes = {{"256x256_100", {{"nx", 256}, {"ny", 256}, {"n_sweeps", 100}}},
              {"1024x1024_50", {{"nx", 1024}, {"ny", 1024}, {"n_sweeps", 50}}},
              {"2048x2048_25", {{"nx", 2048}, {"ny", 2048}, {"n_sweeps", 25}}}},
    .held_out = Size{"1536x1536_40", {{"nx", 1536}, {"ny", 1536}, {"n_sweeps", 40}}},
    .small = {"64x64_2", {{"nx", 64}, {"ny", 64}, {"n_sweeps", 2}}},
    .ceiling = Ceiling::bandwidth,
    .unit = "GB/s (effective, 2 B/site/sweep)",
    .plan = plan,
    .reference = reference,
    .reference_bytes = [](const Size& size) { return std::size_t{size["nx"]} * size["ny"]; },
    .judge = judge,
    .work = [](const Size& size) { return 2.0 * size["nx"] * size["ny"] * size["n_sweeps"]; },
    .stress = {.sizes = {{"256x160_12", {{"nx", 256}, {"ny", 160}, {"n_sweeps", 12}}},
                         {"50x38_5", {{"nx", 50}, {"ny", 38}, {"n_sweeps", 5}}}},
               .random_size = [](KeyedRandom& draws) { return draw_size(contract, draws); },
               .larger_size =
                   [](KeyedRandom& draws) {
                     return Size{"",
                                 {{"nx", 2 * draws.between(1025, 1040)},
                                  {"ny", 2 * draws.between(1025, 1040)},
                                  {"n_sweeps", 2}}};
                   },
               .steps = "n_sweeps",
               .plan = strict_plan,
               .reference = strict_reference},
    .derivation = ising_derivation,
    .seed = ising_seed,
    .page = ising_page,
};

}  // namespace msci
