#include "tasks/hmc/hmc.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tasks/launch.h"
#include "tasks/stress.h"

namespace msci {
namespace {

constexpr unsigned steps = 200;
constexpr unsigned leapfrog_steps = 10;
constexpr float step_length = 0.20F;
constexpr std::uint32_t kernel_seed = 0xCAFEBEEF;

constexpr double mean_tolerance = 0.15;
constexpr double covariance_tolerance = 0.30;
constexpr double lowest_rate = 0.45;
constexpr double highest_rate = 0.999;

using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The normal distribution to sample from.
struct Target {
  MatrixF covariance;
  MatrixF precision;
};

// A random rotation of eigenvalues that run geometrically from 0.5 to 2.
Target target(Eigen::Index d) {
  Random random(0xC0FFEE);
  MatrixD normal(d, d);
  for (double& value : normal.reshaped<Eigen::RowMajor>()) value = random.normal();
  const MatrixD q = Eigen::HouseholderQR<MatrixD>(normal).householderQ();
  const Eigen::ArrayXd eigenvalues =
      0.5 * (Eigen::ArrayXd::LinSpaced(d, 0, 1) * std::log(4.0)).exp();
  const auto rotate = [&q](const Eigen::ArrayXd& diagonal) -> MatrixF {
    const MatrixD rotated = q * diagonal.matrix().asDiagonal() * q.transpose();
    return ((rotated + rotated.transpose()) / 2).cast<float>();
  };
  return {rotate(eigenvalues), rotate(eigenvalues.inverse())};
}

// All chains start at twice the target's spread.
MatrixF start(const MatrixF& covariance, Eigen::Index chains) {
  Random random(0xBADC0DE);
  MatrixF z(chains, covariance.rows());
  for (float& value : z.reshaped<Eigen::RowMajor>()) value = static_cast<float>(random.normal());
  const MatrixF factor = covariance.llt().matrixL();
  return 2 * (z * factor.transpose());
}

Array<float> array_of(const MatrixF& matrix) {
  Array<float> values(matrix.size());
  std::copy_n(matrix.data(), matrix.size(), values.begin());
  return values;
}

// The first so many steps of all chains from `first` on.
Result<Plan> plan_from(const Size& size, const Translation& program, unsigned steps,
                       const MatrixF& first, PlanBuffer second, std::uint32_t number_seed) {
  const auto group = row_group(program, "hmc_step", 64);
  if (!group) return group.error();
  const unsigned chains = size["K"], d = size["d"];
  Array<std::uint32_t> numbers(steps);
  for (unsigned step = 0; step < steps; ++step) numbers[step] = step;

  Plan plan;
  const std::size_t state[] = {plan.add(filled("qA", array_of(first))),
                               plan.add(std::move(second))};
  const auto accepted = plan.add(zeros<std::uint32_t>("accept_cnt", chains));
  const auto matrix = plan.add(filled("A", array_of(target(d).precision)));
  const auto chain_total = plan.add_scalar("K", chains);
  const auto dimension = plan.add_scalar("d", d);
  const auto rounds = plan.add_scalar("L", leapfrog_steps);
  const auto eps = plan.add_scalar("eps", step_length);
  const auto table = plan.add(filled("hmc_step_idx", std::move(numbers)));
  const auto seed = plan.add_scalar("seed", number_seed);
  for (unsigned step = 0; step < steps; ++step) {
    auto bindings = bind({state[step % 2], state[(step + 1) % 2], accepted, matrix, chain_total,
                          dimension, rounds, eps, table, seed});
    bindings[8].offset = step * sizeof(std::uint32_t);  // each dispatch sees its own number
    plan.launches.push_back({.kernel = "hmc_step",
                             .grid = cover({chains}, *group),
                             .threadgroup = *group,
                             .bindings = std::move(bindings)});
  }
  plan.results = {state[steps % 2], accepted};
  return plan;
}

Result<Plan> plan(const Size& size, const Translation& program) {
  const std::size_t chains = size["K"], d = size["d"];
  return plan_from(size, program, steps, start(target(d).covariance, chains),
                   zeros<float>("qB", chains * d), kernel_seed);
}

// max |mean_i| in units of the target's deviation along i.
double mean_error(const Eigen::RowVectorXd& mean, const MatrixD& covariance) {
  return (mean.array().abs() / covariance.diagonal().transpose().array().sqrt()).maxCoeff();
}

// The distance of the sample's covariance from the target's, relative to the latter.
double covariance_error(const MatrixD& q, const Eigen::RowVectorXd& mean,
                        const MatrixD& covariance) {
  const MatrixD centred = q.rowwise() - mean;
  const MatrixD sample = centred.transpose() * centred / static_cast<double>(q.rows() - 1);
  return (sample - covariance).norm() / covariance.norm();
}

// How far the acceptance rate lies outside its window; 0 within.
double rate_excess(double rate) {
  if (rate < lowest_rate) return (lowest_rate - rate) / lowest_rate;
  if (rate > highest_rate) return (rate - highest_rate) / (1 - highest_rate + 1e-12);
  return 0;
}

// Results: the final states of all chains, one sample of the target, and how often each accepted.
Verdict judge(const Size& size, const Bytes&, const Outputs& output, const Outputs&) {
  const auto states = output[0].as<float>();
  const auto infinite = std::count_if(states.begin(), states.end(),
                                      [](float value) { return !std::isfinite(value); });
  if (infinite > 0)
    return {.correct = false,
            .error_value = static_cast<double>(infinite),
            .error_kind = "nonfinite_q"};

  const Eigen::Index chains = size["K"], d = size["d"];
  const MatrixD q = Eigen::Map<const MatrixF>(states.data(), chains, d).cast<double>();
  const MatrixD covariance = target(d).covariance.cast<double>();
  const Eigen::RowVectorXd mean = q.colwise().mean();
  double accepted = 0;
  for (const std::uint32_t count : output[1].as<std::uint32_t>()) accepted += count;

  const double rate = accepted / (static_cast<double>(chains) * steps);
  const double in_mean = mean_error(mean, covariance) / mean_tolerance;
  const double in_covariance = covariance_error(q, mean, covariance) / covariance_tolerance;
  const double in_rate = rate_excess(rate);
  return {.correct = in_mean <= 1 && in_covariance <= 1 && in_rate == 0,
          .error_value = std::max({in_mean, in_covariance, in_rate}),
          .error_kind = "max(mean/tol, cov_fro/tol, accept_excess)"};
}

// The multiply-adds of the products A q.
double work(const Size& size) {
  const double d = size["d"];
  return double{steps} * size["K"] * (leapfrog_steps + 1) * (2 * d * d - d);
}

// --- The strict verdict: the page gives every random number, so a few steps of each chain have one
// answer.

struct StrictStart {
  MatrixF q;
  std::uint32_t number_seed = 0;
};

// The recorded sizes have no number of their own.
unsigned steps_of(const Size& size) {
  for (const auto& [name, value] : size.parameters)
    if (name == "n_steps") return value;
  return steps;
}

StrictStart strict_start(const Size& size, Key key) {
  constexpr float farthest = 6;
  KeyedRandom draws(key);
  StrictStart start{MatrixF(size["K"], size["d"]), static_cast<std::uint32_t>(draws.next())};
  for (float& value : start.q.reshaped<Eigen::RowMajor>())
    value = static_cast<float>(draws.uniform(-2, 2));
  if (size.is_drawn)
    for (float& value : start.q.reshaped<Eigen::RowMajor>())
      if (draws.between(0, 7) == 0) value *= 3;
  if (!size.numbers.empty() && draws.between(0, 1) == 0)
    add_numbers(draws, {start.q.data(), static_cast<std::size_t>(start.q.size())}, size.numbers,
                farthest);
  return start;
}

Result<Plan> strict_plan(const Size& size, const Translation& program, Key key) {
  const auto [q, number_seed] = strict_start(size, key);
  return plan_from(size, program, steps_of(size), q,
                   poisoned<float>("qB", std::size_t{size["K"]} * size["d"]), number_seed);
}

// One chain in double precision.
class StrictChain {
 public:
  StrictChain(const MatrixD& precision, Eigen::VectorXd q, std::uint32_t stream)
      : precision_(precision), q_(std::move(q)), stream_(stream) {}

  void step(std::uint32_t number) {
    const auto d = static_cast<std::uint32_t>(q_.size()), base = number * (d + 1);
    Eigen::VectorXd p(d), q = q_;
    for (std::uint32_t i = 0; i < d; i += 2) {
      const double radius = std::sqrt(-2 * std::log(std::max(uniform(base + i), 1e-7)));
      const double angle = 2 * std::numbers::pi * uniform(base + i + 1);
      p[i] = radius * std::cos(angle);
      p[i + 1] = radius * std::sin(angle);
    }
    const double before = energy(q, p);
    p -= double{step_length} / 2 * (precision_ * q);
    for (unsigned round = 1; round <= leapfrog_steps; ++round) {
      q += double{step_length} * p;
      p -= double{step_length} / (round == leapfrog_steps ? 2 : 1) * (precision_ * q);
    }
    const double lead = before - energy(q, p) - std::log(std::max(uniform(base + d), 1e-30));
    undecided_ = undecided_ || std::abs(lead) < 1e-3;  // a thousand times what rounding makes of it
    if (lead <= 0) return;
    q_ = q;
    ++accepted_;
  }

  const Eigen::VectorXd& q() const { return q_; }
  unsigned accepted() const { return accepted_; }
  bool undecided() const { return undecided_; }

 private:
  double uniform(std::uint32_t count) const { return (mix(mix(stream_ ^ count)) >> 8) * 0x1p-24; }
  double energy(const Eigen::VectorXd& q, const Eigen::VectorXd& p) const {
    return (q.dot(precision_ * q) + p.dot(p)) / 2;
  }

  const MatrixD& precision_;
  Eigen::VectorXd q_;
  std::uint32_t stream_;
  unsigned accepted_ = 0;
  bool undecided_ = false;
};

// A chain of so many is computed again where all of them would take too long. The key decides
// which, so that no kernel knows them.
unsigned chains_for_each_computed(const Size& size) {
  constexpr double affordable = 2e6;  // products of a row, for each chain's d rows
  const double products = 1.0 * steps_of(size) * size["K"] * size["d"];
  return static_cast<unsigned>(std::ceil(products / affordable));
}

std::vector<Expected> strict_reference(const Size& size, Key key) {
  const auto [q, number_seed] = strict_start(size, key);
  const MatrixD precision = target(size["d"]).precision.cast<double>();
  Expected states, counts{.element = Expected::Element::count};
  const auto every = chains_for_each_computed(size);
  for (unsigned c = 0; c < size["K"]; ++c) {
    if (keyed_hash(key, std::to_string(c)) % every != 0) {
      states.values.insert(states.values.end(), size["d"], 0);
      states.undecided.insert(states.undecided.end(), size["d"], true);
      counts.values.push_back(0);
      counts.undecided.push_back(true);
      continue;
    }
    StrictChain chain(precision, q.row(c).cast<double>().transpose(), number_seed + c * 0x9E3779B9);
    for (unsigned number = 0; number < steps_of(size); ++number) chain.step(number);
    states.values.insert(states.values.end(), chain.q().begin(), chain.q().end());
    states.undecided.insert(states.undecided.end(), size["d"], chain.undecided());
    counts.values.push_back(chain.accepted());
    counts.undecided.push_back(chain.undecided());
  }
  return {std::move(states), std::move(counts)};
}

// Chains of the recorded run that rounding does not decide.
double recorded_error(const Size& size, const Outputs& output, KeyedRandom& draws) {
  constexpr unsigned count = 16;
  const auto states = output[0].as<float>();
  const auto accepted = output[1].as<std::uint32_t>();
  const unsigned d = size["d"];
  const auto [covariance, precision] = target(d);
  const MatrixF q = start(covariance, size["K"]);
  const MatrixD wide = precision.cast<double>();
  double error = 0;
  for (unsigned drawn = 0; drawn < count; ++drawn) {
    const unsigned c = draws.between(0, size["K"] - 1);
    StrictChain chain(wide, q.row(c).cast<double>().transpose(), kernel_seed + c * 0x9E3779B9);
    for (unsigned number = 0; number < steps; ++number) chain.step(number);
    if (chain.undecided()) continue;
    if (accepted[c] != chain.accepted()) return 1;
    const auto got = Eigen::Map<const Eigen::VectorXf>(&states[std::size_t{c} * d], d);
    error = std::max(error, (got.cast<double>() - chain.q()).cwiseAbs().maxCoeff());
  }
  return error / wide.diagonal().cwiseAbs().maxCoeff();
}

// What sizes are allowed; the page has the rest.
const SizeContract contract{.sides = {{"d", 2, 32, 2}, {"K", 1, 32768}},
                            .few_cells = 1024,
                            .steps = "n_steps",
                            .most_steps = steps};

}  // namespace

const Task hmc{
    .order = 5,
    .name = "hmc",
    .title = "Hamiltonian Monte Carlo, many chains at once",
    .kernels = {{.name = "hmc_step",
                 .arguments = {{0, "device const float *", "q_in", "K*d floats, chain by chain"},
                               {1, "device float *", "q_out", "K*d floats, chain by chain"},
                               {2, "device uint *", "accept_cnt", "K counters of acceptances"},
                               {3, "device const float *", "A", "d*d precision matrix"},
                               {4, "constant uint &", "K", "chains"},
                               {5, "constant uint &", "d", "dimension, even, at most 32"},
                               {6, "constant uint &", "L", "leapfrog rounds, 10"},
                               {7, "constant float &", "eps", "step length, 0.20"},
                               {8, "constant uint &", "hmc_step_idx", "0 to 199"},
                               {9, "constant uint &", "seed", "0xCAFEBEEF"}}}},
    .sizes = {{"d8_K16384", {{"d", 8}, {"K", 16384}}},
              {"d16_K4096", {{"d", 16}, {"K", 4096}}},
              {"d32_K1024", {{"d", 32}, {"K", 1024}}}},
    .held_out = Size{"d24_K2048", {{"d", 24}, {"K", 2048}}},
    .small = {"d8_K128", {{"d", 8}, {"K", 128}}},
    .ceiling = Ceiling::compute,
    .unit = "GFLOPS (mat-vec FMAs only)",
    .plan = plan,
    .reference = [](const Size&) { return Bytes{}; },
    .judge = judge,
    .work = work,
    .intensity =
        [](const Size& size) { return work(size) / (8.0 * steps * size["K"] * size["d"]); },
    .stress = {.sizes = {{"d8_K192_6", {{"d", 8}, {"K", 192}, {"n_steps", 6}}},
                         {"d16_K150_5", {{"d", 16}, {"K", 150}, {"n_steps", 5}}}},
               .random_size = [](KeyedRandom& draws) { return draw_size(contract, draws); },
               .larger_size =
                   [](KeyedRandom& draws) {
                     return Size{"",
                                 {{"d", 8}, {"K", draws.between(16385, 17000)}, {"n_steps", 2}}};
                   },
               .plan = strict_plan,
               .reference = strict_reference,
               .recorded_error = recorded_error},
    .derivation = hmc_derivation,
    .seed = hmc_seed,
    .page = hmc_page,
};

}  // namespace msci
