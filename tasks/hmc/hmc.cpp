#include "tasks/hmc/hmc.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "tasks/host.h"
#include "tasks/random.h"

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

Result<Plan> plan(const Size& size, const Translation& program) {
  const auto group = row_group(program, "hmc_step", 64);
  if (!group) return group.error();
  const unsigned chains = size["K"], d = size["d"];
  const auto [covariance, precision] = target(d);
  Array<std::uint32_t> numbers(steps);
  for (unsigned step = 0; step < steps; ++step) numbers[step] = step;

  Plan plan;
  const std::size_t state[] = {plan.add(filled("qA", array_of(start(covariance, chains)))),
                               plan.add(zeros<float>("qB", std::size_t{chains} * d))};
  const auto accepted = plan.add(zeros<std::uint32_t>("accept_cnt", chains));
  const auto matrix = plan.add(filled("A", array_of(precision)));
  const auto chain_total = plan.add_scalar("K", chains);
  const auto dimension = plan.add_scalar("d", d);
  const auto rounds = plan.add_scalar("L", leapfrog_steps);
  const auto eps = plan.add_scalar("eps", step_length);
  const auto table = plan.add(filled("hmc_step_idx", std::move(numbers)));
  const auto seed = plan.add_scalar("seed", kernel_seed);
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
    .held_out = {"d24_K2048", {{"d", 24}, {"K", 2048}}},
    .small = {"d8_K128", {{"d", 8}, {"K", 128}}},
    .ceiling = Ceiling::compute,
    .unit = "GFLOPS (mat-vec FMAs only)",
    .plan = plan,
    .reference = [](const Size&) { return Bytes{}; },
    .judge = judge,
    .work = work,
    .intensity =
        [](const Size& size) { return work(size) / (8.0 * steps * size["K"] * size["d"]); },
    .seed = hmc_seed,
    .page = hmc_page,
};

}  // namespace msci
