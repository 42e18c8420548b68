#include "tasks/lj/lj.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/for_each_processor.h"
#include "tasks/launch.h"
#include "tasks/stress.h"

namespace msci {
namespace {

constexpr float cutoff_squared = 6.25F;
constexpr float time_step = 0.005F;
constexpr unsigned max_per_cell = 64;
constexpr std::size_t operations_of_particle = 5000;

// Particles start near the points of a cubic lattice, which may have more points. Three cells as
// wide as the cutoff fit along its side at least.
std::size_t lattice_side(const Size& size) {
  std::size_t side = 7;
  while (side * side * side < size["N"]) ++side;
  return side;
}

// The periodic box: 1.15 per lattice point.
double box_side(const Size& size) { return static_cast<double>(lattice_side(size) * 115) / 100; }

// Positions and velocities as x, y, z of one particle after the other.
struct Particles {
  std::vector<float> positions;
  std::vector<float> velocities;
};

std::vector<float> start_positions(Random& random, std::size_t side, double box) {
  const double spacing = box / static_cast<double>(side);
  const auto length = static_cast<float>(box);
  std::vector<float> positions;
  for (std::size_t a = 0; a < side; ++a)
    for (std::size_t b = 0; b < side; ++b)
      for (std::size_t c = 0; c < side; ++c)
        for (const std::size_t at : {a, b, c})
          positions.push_back(static_cast<float>(at) * static_cast<float>(spacing));
  for (float& r : positions) {
    r += static_cast<float>(random.uniform(-0.05 * spacing, 0.05 * spacing));
    r -= length * std::floor(r / length);
  }
  return positions;
}

// The mean velocity is taken away, so that the whole does not drift.
std::vector<float> start_velocities(Random& random, std::size_t count) {
  std::vector<float> velocities(3 * count);
  for (float& v : velocities) v = static_cast<float>(random.uniform(-0.3, 0.3));
  std::array<float, 3> mean{};
  for (std::size_t i = 0; i < velocities.size(); ++i) mean[i % 3] += velocities[i];
  for (float& component : mean) component /= static_cast<float>(count);
  for (std::size_t i = 0; i < velocities.size(); ++i) velocities[i] -= mean[i % 3];
  return velocities;
}

Particles start(const Size& size) {
  Random random(0xCAFE);
  auto positions = start_positions(random, lattice_side(size), box_side(size));
  return {std::move(positions), start_velocities(random, size["N"])};
}

// The steps from `particles` on, to and fro between two pairs of buffers.
Result<Plan> plan_from(const Size& size, const Translation& program, const Particles& particles,
                       PlanBuffer second_positions, PlanBuffer second_velocities) {
  const auto clear_group = row_group(program, "lj_clear_cells", 64);
  if (!clear_group) return clear_group.error();
  const auto build_group = row_group(program, "lj_build_cells", 128);
  if (!build_group) return build_group.error();
  const auto step_group = row_group(program, "lj_step", 128);
  if (!step_group) return step_group.error();

  const unsigned n = size["N"], m = size["M"], steps = size["n_steps"], cells = m * m * m;
  Plan plan;
  const std::size_t position[] = {plan.add(filled("posA", pack(particles.positions))),
                                  plan.add(std::move(second_positions))};
  const std::size_t velocity[] = {plan.add(filled("velA", pack(particles.velocities))),
                                  plan.add(std::move(second_velocities))};
  const auto count = plan.add(zeros<unsigned>("cell_count", cells));
  const auto list = plan.add(zeros<unsigned>("cell_list", std::size_t{cells} * max_per_cell));
  const auto cell_total = plan.add_scalar("M3", cells);
  const auto particle_total = plan.add_scalar("N", n);
  const auto cells_per_side = plan.add_scalar("M", m);
  const auto length = plan.add_scalar("L", static_cast<float>(box_side(size)));
  const auto cutoff = plan.add_scalar("rcut2", cutoff_squared);
  const auto dt = plan.add_scalar("dt", time_step);
  const auto slots = plan.add_scalar("MAX_PER_CELL", max_per_cell);
  for (unsigned step = 0; step < steps; ++step) {
    const unsigned in = step % 2, out = 1 - in;
    plan.launches.push_back({.kernel = "lj_clear_cells",
                             .grid = cover({cells}, *clear_group),
                             .threadgroup = *clear_group,
                             .bindings = bind({count, cell_total})});
    plan.launches.push_back({.kernel = "lj_build_cells",
                             .grid = cover({n}, *build_group),
                             .threadgroup = *build_group,
                             .bindings = bind({position[in], count, list, particle_total,
                                               cells_per_side, length, slots})});
    plan.launches.push_back(
        {.kernel = "lj_step",
         .grid = cover({n}, *step_group),
         .threadgroup = *step_group,
         .bindings = bind({position[in], position[out], velocity[in], velocity[out], count, list,
                           particle_total, cells_per_side, length, cutoff, dt, slots})});
  }
  plan.results = {position[steps % 2], count};
  return plan;
}

Result<Plan> plan(const Size& size, const Translation& program) {
  const unsigned n = size["N"];
  return plan_from(size, program, start(size), zeros<Float4>("posB", n), zeros<Float4>("velB", n));
}

using Vector = std::array<double, 3>;

// Of particles in a row: the coordinates of each, axis by axis, from `first` on.
struct Coordinates {
  std::array<const double*, 3> first;
  std::size_t count = 0;
};

// Offsets and squared distances of up to so many particles.
constexpr std::size_t most_at_once = 64;
struct Offsets {
  std::array<std::array<double, most_at_once>, 3> along;
  std::array<double, most_at_once> squared;
};

// Computes the offsets from `origin` to the nearest images of the particles. False if one is a box
// and a half away or farther, where the nearest image is another one.
MSCI_FOR_EACH_PROCESSOR
bool find_offsets(const Coordinates& particles, const Vector& origin, double box,
                  Offsets& offsets) {
#pragma clang fp contract(off)  // the same bits on all processors
  std::fill_n(offsets.squared.begin(), particles.count, 0.0);
  unsigned far = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double* from = particles.first[axis];
    double* along = offsets.along[axis].data();
    for (std::size_t i = 0; i < particles.count; ++i) {
      const double d = from[i] - origin[axis], twice = 2 * std::abs(d);
      far |= static_cast<unsigned>(twice >= 3 * box);
      along[i] = d - (twice > box ? std::copysign(box, d) : 0.0);
      offsets.squared[i] += along[i] * along[i];
    }
  }
  return far == 0;
}

// Which particles are near which: a cell list in double precision, with cells no smaller than the
// cutoff.
class Neighbours {
 public:
  template <typename Real>
  Neighbours(const std::vector<Real>& positions, unsigned cells_per_side, double box)
      : side_(cells_per_side), box_(box), first_(side_ * side_ * side_ + 1) {
    const std::size_t count = positions.size() / 3;
    std::vector<std::size_t> cells(count);
    for (std::size_t i = 0; i < count; ++i) {
      positions_.push_back({positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]});
      const auto at = cell_of(i);
      cells[i] = (at[2] * side_ + at[1]) * side_ + at[0];
      ++first_[cells[i] + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    auto next = first_;
    for (auto& axis : by_cell_) axis.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto place = next[cells[i]]++;
      for (std::size_t axis = 0; axis < 3; ++axis) by_cell_[axis][place] = positions_[i][axis];
    }
  }

  // Calls visit(offset, squared distance) for each other particle closer to i than the cutoff.
  template <typename Visit>
  void for_each_near(std::size_t i, const Visit& visit) const {
    for_each_closer(i, cutoff_squared, visit);
  }

  // The same below another squared distance, of hardly more than the cutoff's.
  template <typename Visit>
  void for_each_closer(std::size_t i, double squared, const Visit& visit) const {
    const auto at = cell_of(i);
    for (std::size_t z = side_ - 1; z <= side_ + 1; ++z)
      for (std::size_t y = side_ - 1; y <= side_ + 1; ++y) {
        const std::size_t row = ((at[2] + z) % side_ * side_ + (at[1] + y) % side_) * side_;
        if (at[0] > 0 && at[0] + 1 < side_) {
          visit_cells(i, row + at[0] - 1, row + at[0] + 2, squared, visit);
          continue;
        }
        for (std::size_t x = side_ - 1; x <= side_ + 1; ++x) {
          const auto cell = row + (at[0] + x) % side_;
          visit_cells(i, cell, cell + 1, squared, visit);
        }
      }
  }

 private:
  // The particles of cells [begin, end).
  template <typename Visit>
  void visit_cells(std::size_t i, std::size_t begin, std::size_t end, double squared,
                   const Visit& visit) const {
    Offsets offsets;
    for (auto from = first_[begin]; from < first_[end]; from += most_at_once) {
      const auto count = std::min(most_at_once, first_[end] - from);
      const Coordinates particles{{&by_cell_[0][from], &by_cell_[1][from], &by_cell_[2][from]},
                                  count};
      const bool are_found = find_offsets(particles, positions_[i], box_, offsets);
      for (std::size_t k = 0; k < count; ++k) {
        if (!are_found) find_far_offset(particles, k, positions_[i], offsets);
        const double r2 = offsets.squared[k];
        if (r2 < squared && r2 > 1e-12)
          visit(Vector{offsets.along[0][k], offsets.along[1][k], offsets.along[2][k]}, r2);
      }
    }
  }

  std::array<std::size_t, 3> cell_of(std::size_t i) const {
    std::array<std::size_t, 3> cell{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double r = positions_[i][axis];
      const double inside = r - box_ * std::floor(r / box_);
      const auto index = static_cast<std::size_t>(inside / (box_ / static_cast<double>(side_)));
      cell[axis] = std::min(index, side_ - 1);
    }
    return cell;
  }

  // find_offsets() for one particle at any distance.
  void find_far_offset(const Coordinates& particles, std::size_t k, const Vector& origin,
                       Offsets& offsets) const {
    offsets.squared[k] = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double d = particles.first[axis][k] - origin[axis];
      d -= box_ * std::nearbyint(d / box_);
      offsets.along[axis][k] = d;
      offsets.squared[k] += d * d;
    }
  }

  std::vector<Vector> positions_;
  std::size_t side_;
  double box_;
  std::vector<std::size_t> first_;              // place of each cell's first particle in by_cell_
  std::array<std::vector<double>, 3> by_cell_;  // coordinates of the particles, cell by cell
};

// Adds the pull of a particle at that offset.
void add_pull(Vector& sum, const Vector& d, double r2) {
  const double attraction = 1 / (r2 * r2 * r2);
  const double pull = -24 * (2 * attraction * attraction - attraction) / r2;
  for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += pull * d[axis];
}

Vector acceleration(const Neighbours& neighbours, std::size_t i) {
  Vector sum{};
  neighbours.for_each_near(i, [&](const Vector& d, double r2) { add_pull(sum, d, r2); });
  return sum;
}

Bytes reference(const Size& size) {
  const std::size_t n = size["N"];
  auto [positions, velocities] = start(size);
  std::vector<Vector> forces(n);
  for (unsigned step = 0; step < size["n_steps"]; ++step) {
    const Neighbours neighbours(positions, size["M"], box_side(size));
    in_parallel(n, operations_of_particle, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) forces[i] = acceleration(neighbours, i);
    });
    for (std::size_t i = 0; i < 3 * n; ++i) {
      velocities[i] += static_cast<float>(forces[i / 3][i % 3]) * time_step;
      positions[i] += velocities[i] * time_step;
    }
  }
  return Bytes::of<float>(positions);
}

// Results: the positions, then cell_count. A list that overflowed may have lost particles.
Verdict judge(const Size&, const Bytes& reference, const Outputs& output,
              const Outputs& timed_output) {
  const auto counts = timed_output[1].as<unsigned>();
  const unsigned fullest = *std::max_element(counts.begin(), counts.end());
  if (fullest > max_per_cell)
    return {.correct = false,
            .error_value = static_cast<double>(fullest),
            .error_kind = "cell_overflow"};
  const auto positions = unpack(output[0].as<Float4>());
  return within("max_abs_pos", positions, reference.as<float>(), 1e-4, "xyz");
}

// 20 flops for each ordered pair within the cutoff at the start.
double work(const Size& size) {
  const Particles particles = start(size);
  const Neighbours neighbours(particles.positions, size["M"], box_side(size));
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < size["N"]; ++i)
    neighbours.for_each_near(i, [&pairs](const Vector&, double) { ++pairs; });
  return 20.0 * static_cast<double>(pairs) * size["n_steps"];
}

// As many cells along a side as the cutoff allows, or up to a quarter less. The number follows from
// that of particles: chosen alone, it may make cells smaller than the cutoff.
unsigned cells_of(const Size& size) {
  const auto most = static_cast<unsigned>(lattice_side(size) * 115 / 250);
  const auto least = std::max(3U, (3 * most + 3) / 4);
  return least + size["N"] % (most - least + 1);
}

// Particles that come closer and move faster than the benchmark's.
Particles strict_start(const Size& size, Key key) {
  KeyedRandom draws(key);
  const std::size_t side = lattice_side(size);
  const double box = box_side(size), spacing = box / static_cast<double>(side);
  Particles particles;
  for (std::size_t i = 0; i < size["N"]; ++i)
    for (const std::size_t at : {i / side / side, i / side % side, i % side}) {
      const auto r = spacing * static_cast<double>(at) + draws.uniform(-0.08, 0.08) * spacing;
      particles.positions.push_back(static_cast<float>(r < 0 ? r + box : r));
      particles.velocities.push_back(static_cast<float>(draws.uniform(-3, 3)));
    }
  // In some runs, a part of the particles has left the box, up to two boxes far.
  if (may_be_extreme(size, "n_steps") && draws.between(0, 1) == 1)
    for (float& r : particles.positions)
      if (draws.between(0, 3) == 0) r += static_cast<float>((draws.between(0, 4) - 2.0) * box);
  return particles;
}

// Velocities are as much a result as positions are, and show the pulls two hundred times better.
Result<Plan> strict_plan(const Size& size, const Translation& program, Key key) {
  const unsigned n = size["N"];
  auto plan = plan_from(size, program, strict_start(size, key), poisoned<Float4>("posB", n),
                        poisoned<Float4>("velB", n));
  if (!plan) return plan;
  const bool odd = size["n_steps"] % 2;
  plan->results = {place_of(*plan, odd ? "posB" : "posA"), place_of(*plan, odd ? "velB" : "velA")};
  return plan;
}

// The acceleration of i, and whether rounding decides if some particle is within its cutoff.
std::pair<Vector, bool> strict_acceleration(const Neighbours& neighbours, std::size_t i) {
  constexpr double margin = 1e-5;  // relative; ten times what single precision is off by
  Vector sum{};
  bool is_at_the_cutoff = false;
  neighbours.for_each_closer(i, cutoff_squared * (1 + margin), [&](const Vector& d, double r2) {
    is_at_the_cutoff = is_at_the_cutoff || r2 > cutoff_squared * (1 - margin);
    if (r2 < cutoff_squared) add_pull(sum, d, r2);
  });
  return {sum, is_at_the_cutoff};
}

std::vector<Expected> strict_reference(const Size& size, Key key) {
  const Particles particles = strict_start(size, key);
  const std::size_t n = size["N"];
  auto positions = widened(particles.positions), velocities = widened(particles.velocities);
  std::vector<char> at_the_cutoff(n);  // of bool, bytes that threads may share
  std::vector<Vector> forces(n);
  for (unsigned step = 0; step < size["n_steps"]; ++step) {
    const Neighbours neighbours(positions, size["M"], box_side(size));
    in_parallel(n, operations_of_particle, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto [force, is_at_the_cutoff] = strict_acceleration(neighbours, i);
        forces[i] = force;
        at_the_cutoff[i] = at_the_cutoff[i] || is_at_the_cutoff;
      }
    });
    for (std::size_t i = 0; i < 3 * n; ++i) {
      velocities[i] += forces[i / 3][i % 3] * double{time_step};
      positions[i] += velocities[i] * double{time_step};
    }
  }
  std::vector<bool> undecided;
  for (const bool each : at_the_cutoff) undecided.insert(undecided.end(), 3, each);
  return {{Expected::Element::point, std::move(positions), undecided},
          {Expected::Element::point, std::move(velocities), undecided}};
}

// What sizes are allowed; the page has the rest.
const SizeContract contract{.sides = {{"N", 1, 16384}},
                            .most_cells = 16384,
                            .few_cells = 1024,
                            .steps = "n_steps",
                            .most_steps = 20};

}  // namespace

const Task lj{
    .order = 8,
    .name = "lj",
    .title = "Lennard-Jones particles with a cell list",
    .kernels = {{.name = "lj_clear_cells",
                 .arguments = {{0, "device atomic_uint *", "cell_count", "M^3 counters"},
                               {1, "constant uint &", "M3", "M*M*M"}}},
                {.name = "lj_build_cells",
                 .arguments = {{0, "device const float4 *", "pos", "N positions, w = 0"},
                               {1, "device atomic_uint *", "cell_count", "M^3 counters"},
                               {2, "device uint *", "cell_list", "M^3 * MAX_PER_CELL particles"},
                               {3, "constant uint &", "N", "particles"},
                               {4, "constant uint &", "M", "cells per side"},
                               {5, "constant float &", "L", "side of the box"},
                               {6, "constant uint &", "MAX_PER_CELL", "slots per cell, 64"}}},
                {.name = "lj_step",
                 .arguments = {{0, "device const float4 *", "pos_in", "N positions, w = 0"},
                               {1, "device float4 *", "pos_out", "N positions, w is not checked"},
                               {2, "device const float4 *", "vel_in", "N velocities, w = 0"},
                               {3, "device float4 *", "vel_out", "N velocities, not checked"},
                               {4, "device const uint *", "cell_count", "M^3 counts"},
                               {5, "device const uint *", "cell_list",
                                "M^3 * MAX_PER_CELL particles"},
                               {6, "constant uint &", "N", "particles"},
                               {7, "constant uint &", "M", "cells per side"},
                               {8, "constant float &", "L", "side of the box"},
                               {9, "constant float &", "rcut2", "squared cutoff, 6.25"},
                               {10, "constant float &", "dt", "time step, 0.005"},
                               {11, "constant uint &", "MAX_PER_CELL", "slots per cell, 64"}}}},
    .sizes = {{"N1728_M5_steps20", {{"N", 1728}, {"M", 5}, {"n_steps", 20}}},
              {"N4096_M7_steps15", {{"N", 4096}, {"M", 7}, {"n_steps", 15}}},
              {"N10648_M10_steps10", {{"N", 10648}, {"M", 10}, {"n_steps", 10}}}},
    .held_out = Size{"N2744_M6_steps12", {{"N", 2744}, {"M", 6}, {"n_steps", 12}}},
    .small = {"N1728_M5_steps2", {{"N", 1728}, {"M", 5}, {"n_steps", 2}}},
    .ceiling = Ceiling::compute,
    .unit = "GFLOPS (useful pairs only)",
    .plan = plan,
    .reference = reference,
    .reference_bytes = [](const Size& size) { return 12 * std::size_t{size["N"]}; },
    .judge = judge,
    .work = work,
    .intensity = [](const Size& size) { return work(size) / (64.0 * size["N"] * size["n_steps"]); },
    .stress = {.sizes = {{"N1728_M5_3", {{"N", 1728}, {"M", 5}, {"n_steps", 3}}},
                         {"N1000_M4_4", {{"N", 1000}, {"M", 4}, {"n_steps", 4}}}},
               .random_size =
                   [](KeyedRandom& draws) {
                     auto size = draw_size(contract, draws);
                     size.parameters.emplace_back("M", cells_of(size));
                     return size;
                   },
               .complete =
                   [](Size& size, const std::vector<std::string_view>&, KeyedRandom&) {
                     for (auto& [name, value] : size.parameters)
                       if (name == "M") value = cells_of(size);
                     return true;
                   },
               .plan = strict_plan,
               .reference = strict_reference},
    .derivation = lj_derivation,
    .seed = lj_seed,
    .page = lj_page,
};

}  // namespace msci
