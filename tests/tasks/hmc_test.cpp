#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <numbers>

#include "check.h"
#include "tasks/launch.h"

namespace msci {
namespace {

constexpr std::uint32_t kernel_seed = 0xCAFEBEEF;

std::uint32_t hash_of(std::uint32_t chain, std::uint32_t count) {
  return mix(mix((kernel_seed + chain * 0x9E3779B9) ^ count));
}

float uniform(std::uint32_t chain, std::uint32_t count) {
  return static_cast<float>(hash_of(chain, count) >> 8) * 0x1p-24F;
}

// The task's page as plain code: one chain, moved by all 200 steps. Returns how often it accepted.
template <unsigned d>
unsigned run_chain(float* state, const float* precision, std::uint32_t chain) {
  constexpr unsigned rounds = 10;
  constexpr float eps = 0.20F;
  float q[d], p[d], f[d];
  const auto multiply = [&] {
    for (float& value : f) value = 0;
    for (unsigned column = 0; column < d; ++column)  // the matrix is symmetric
      for (unsigned row = 0; row < d; ++row) f[row] += precision[column * d + row] * q[column];
  };
  const auto energy = [&] {
    float sum = 0;
    for (unsigned i = 0; i < d; ++i) sum += q[i] * f[i] + p[i] * p[i];
    return sum / 2;
  };
  unsigned accepted = 0;
  for (std::uint32_t step = 0; step < 200; ++step) {
    const std::uint32_t base = step * (d + 1);
    for (unsigned i = 0; i < d; i += 2) {
      const float radius = std::sqrt(-2 * std::log(std::max(uniform(chain, base + i), 1e-7F)));
      const float angle = 2 * std::numbers::pi_v<float> * uniform(chain, base + i + 1);
      p[i] = radius * std::cos(angle);
      p[i + 1] = radius * std::sin(angle);
    }
    std::copy_n(state, d, q);
    multiply();
    const float before = energy();
    for (unsigned i = 0; i < d; ++i) p[i] -= eps / 2 * f[i];
    for (unsigned round = 1; round <= rounds; ++round) {
      for (unsigned i = 0; i < d; ++i) q[i] += eps * p[i];
      multiply();
      for (unsigned i = 0; i < d; ++i) p[i] -= (round == rounds ? eps / 2 : eps) * f[i];
    }
    const float change = energy() - before;
    if (!std::isfinite(change) || std::log(std::max(uniform(chain, base + d), 1e-30F)) >= -change)
      continue;
    std::copy_n(q, d, state);
    ++accepted;
  }
  return accepted;
}

struct Known {
  std::string_view label;
  unsigned (*run)(float*, const float*, std::uint32_t);
  float covariance[3];  // the first three of the first row
  float start[2];
  double accept_rate;
  double error_value;
  double unmoved;  // covariance error of the start itself
  double work;
};

const Known known[] = {{"d8_K16384",
                        run_chain<8>,
                        {0.90307456F, 0.12875023F, -0.12913170F},
                        {-1.7398379F, -3.9657209F},
                        0.991537,
                        0.062458,
                        2.995,
                        4325376000},
                       {"d16_K4096",
                        run_chain<16>,
                        {1.0031197F, -0.19582699F, -0.0020384665F},
                        {-1.8336792F, -3.7787502F},
                        0.987748,
                        0.214789,
                        3.036,
                        4469555200},
                       {"d32_K1024",
                        run_chain<32>,
                        {1.0884918F, 0.045375917F, 0.10504551F},
                        {-1.9101152F, -3.9634917F},
                        0.982271,
                        0.597836,
                        3.070,
                        4541644800},
                       {"d24_K2048",
                        run_chain<24>,
                        {1.1236709F, 0.15448077F, 0.012067112F},
                        {-1.9407363F, -4.3802710F},
                        0.984468,
                        0.344809,
                        3.061,
                        5082316800}};

class Hmc : public testing::TestWithParam<Known> {};

TEST_P(Hmc, HasTheKnownStatisticsForChainsThatFollowItsPage) {
  const Known& expected = GetParam();
  const Task& task = the_task("hmc");
  const Size size = the_size(task, expected.label);
  const Plan plan = plan_of(task, size);
  const unsigned chains = size["K"], d = size["d"];
  const Bytes precision{start_of(plan, "A")};
  const Eigen::MatrixXd covariance =
      Eigen::Map<const Eigen::MatrixXf>(precision.as<float>().data(), d, d)
          .cast<double>()
          .inverse();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(covariance(0, i), expected.covariance[i], 1e-6);

  const Bytes start{start_of(plan, "qA")};
  EXPECT_NEAR(start.as<float>()[0], expected.start[0], 2e-6);
  EXPECT_NEAR(start.as<float>()[1], expected.start[1], 2e-6);
  EXPECT_EQ(task.work(size), expected.work);

  std::vector<float> q(start.as<float>().begin(), start.as<float>().end());
  std::vector<std::uint32_t> accepted(chains);
  constexpr std::size_t operations_of_chain = 1'000'000;
  in_parallel(chains, operations_of_chain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t chain = begin; chain < end; ++chain)
      accepted[chain] = expected.run(&q[chain * d], precision.as<float>().data(),
                                     static_cast<std::uint32_t>(chain));
  });
  double sum = 0;
  for (const std::uint32_t count : accepted) sum += count;
  EXPECT_NEAR(sum / (chains * 200.0), expected.accept_rate, 2e-5);

  const Bytes counts = Bytes::of<std::uint32_t>(accepted);
  const Verdict verdict = *task.judge(size, {}, {Bytes::of<float>(q), counts}, {});
  EXPECT_TRUE(verdict.correct);
  EXPECT_NEAR(verdict.error_value, expected.error_value, 5e-4 * expected.error_value);
  EXPECT_EQ(verdict.error_kind, "max(mean/tol, cov_fro/tol, accept_excess)");
  EXPECT_FALSE(verdict.tolerance);

  const Verdict unmoved = *task.judge(size, {}, {start, counts}, {});
  EXPECT_FALSE(unmoved.correct);
  EXPECT_NEAR(unmoved.error_value, expected.unmoved / 0.30, 2e-3);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Hmc, testing::ValuesIn(known),
                         [](const auto& info) { return test_name("hmc", info.param.label); });

TEST(HmcTask, HashesChainAndCountAsItsPageSays) {
  EXPECT_EQ(mix(0), 0U);
  EXPECT_EQ(mix(1), 0x514E28B7U);
  EXPECT_EQ(mix(0xDEADBEEF), 0x0DE5C6A9U);
  EXPECT_EQ(hash_of(0, 0), 0xCF8697BB);
  EXPECT_EQ(hash_of(0, 1), 0xDB1CA5AE);
  EXPECT_EQ(hash_of(1, 0), 0x535FD1E3U);
  EXPECT_EQ(hash_of(1023, 6566), 0x787D1F47U);
  EXPECT_EQ(hash_of(16383, 1799), 0x7BA99071U);
  EXPECT_EQ(hash_of(2047, 4999), 0x9C3C87CB);
}

TEST(HmcTask, BindsEachStepsNumber) {
  const Task& task = the_task("hmc");
  const Plan plan = plan_of(task, *task.held_out);
  ASSERT_EQ(plan.launches.size(), 200U);
  for (unsigned step = 0; step < 200; ++step) EXPECT_EQ(number_at(plan, step, 8), step);
}

TEST(HmcTask, CountsStatesThatAreNotFiniteBeforeAnythingElse) {
  const Task& task = the_task("hmc");
  const Size& size = task.sizes[0];
  std::vector<float> q(size["K"] * size["d"]);
  q[3] = std::numeric_limits<float>::quiet_NaN();
  q[5] = std::numeric_limits<float>::infinity();
  q[7] = -q[5];
  const Bytes counts = Bytes::of<std::uint32_t>(std::vector<std::uint32_t>(size["K"], 190));
  const Verdict verdict = *task.judge(size, {}, {Bytes::of<float>(q), counts}, {});
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.error_kind, "nonfinite_q");
  EXPECT_EQ(verdict.error_value, 3);
}

}  // namespace
}  // namespace msci
