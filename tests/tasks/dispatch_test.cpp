// What each task asks a device to launch, for all 48 sizes.
#include <gtest/gtest.h>

#include "check.h"

namespace msci {
namespace {

struct Row {
  std::string_view kernel;
  Extent grid;
  Extent threadgroup;
};

struct Known {
  std::string_view task;
  std::string_view label;
  std::vector<Row> rows;  // the launches of one step
  unsigned steps;
  std::string_view result;  // the buffer that is judged
};

const Known known[] = {
    {"saxpy", "1M", {{"saxpy", {1048576}, {256}}}, 1, "y"},
    {"saxpy", "16M", {{"saxpy", {16777216}, {256}}}, 1, "y"},
    {"saxpy", "64M", {{"saxpy", {67108864}, {256}}}, 1, "y"},
    {"saxpy", "4M", {{"saxpy", {4194304}, {256}}}, 1, "y"},
    {"heat2d", "256x256_50", {{"heat_step", {256, 256}, {16, 16}}}, 50, "A"},
    {"heat2d", "512x512_100", {{"heat_step", {512, 512}, {16, 16}}}, 100, "A"},
    {"heat2d", "1024x1024_50", {{"heat_step", {1024, 1024}, {16, 16}}}, 50, "A"},
    {"heat2d", "768x768_75", {{"heat_step", {768, 768}, {16, 16}}}, 75, "B"},
    {"wave3d", "64x64x64_30", {{"wave_step", {64, 64, 64}, {8, 8, 4}}}, 30, "B"},
    {"wave3d", "160x160x160_20", {{"wave_step", {160, 160, 160}, {8, 8, 4}}}, 20, "A"},
    {"wave3d", "192x192x192_15", {{"wave_step", {192, 192, 192}, {8, 8, 4}}}, 15, "B"},
    {"wave3d", "128x128x128_20", {{"wave_step", {128, 128, 128}, {8, 8, 4}}}, 20, "A"},
    {"nbody", "256_10", {{"nbody_step", {256}, {128}}}, 10, "posA"},
    {"nbody", "1024_10", {{"nbody_step", {1024}, {128}}}, 10, "posA"},
    {"nbody", "2048_10", {{"nbody_step", {2048}, {128}}}, 10, "posA"},
    {"nbody", "512_10", {{"nbody_step", {512}, {128}}}, 10, "posA"},
    {"hmc", "d8_K16384", {{"hmc_step", {16384}, {64}}}, 200, "qA"},
    {"hmc", "d16_K4096", {{"hmc_step", {4096}, {64}}}, 200, "qA"},
    {"hmc", "d32_K1024", {{"hmc_step", {1024}, {64}}}, 200, "qA"},
    {"hmc", "d24_K2048", {{"hmc_step", {2048}, {64}}}, 200, "qA"},
    {"lbm", "64x64_50", {{"lbm_step", {64, 64}, {16, 16}}}, 50, "A"},
    {"lbm", "128x128_100", {{"lbm_step", {128, 128}, {16, 16}}}, 100, "A"},
    {"lbm", "256x256_100", {{"lbm_step", {256, 256}, {16, 16}}}, 100, "A"},
    {"lbm", "192x192_75", {{"lbm_step", {192, 192}, {16, 16}}}, 75, "B"},
    {"ising", "256x256_100", {{"ising_step", {256, 256}, {16, 16}}}, 200, "spins"},
    {"ising", "1024x1024_50", {{"ising_step", {1024, 1024}, {16, 16}}}, 100, "spins"},
    {"ising", "2048x2048_25", {{"ising_step", {2048, 2048}, {16, 16}}}, 50, "spins"},
    {"ising", "1536x1536_40", {{"ising_step", {1536, 1536}, {16, 16}}}, 80, "spins"},
    {"lj",
     "N1728_M5_steps20",
     {{"lj_clear_cells", {128}, {64}},
      {"lj_build_cells", {1792}, {128}},
      {"lj_step", {1792}, {128}}},
     20,
     "posA"},
    {"lj",
     "N4096_M7_steps15",
     {{"lj_clear_cells", {384}, {64}},
      {"lj_build_cells", {4096}, {128}},
      {"lj_step", {4096}, {128}}},
     15,
     "posB"},
    {"lj",
     "N10648_M10_steps10",
     {{"lj_clear_cells", {1024}, {64}},
      {"lj_build_cells", {10752}, {128}},
      {"lj_step", {10752}, {128}}},
     10,
     "posA"},
    {"lj",
     "N2744_M6_steps12",
     {{"lj_clear_cells", {256}, {64}},
      {"lj_build_cells", {2816}, {128}},
      {"lj_step", {2816}, {128}}},
     12,
     "posA"},
    {"gradshaf",
     "65x65_30",
     {{"gradshaf_axis_reduce", {256}, {256}}, {"gradshaf_step", {80, 80}, {16, 16}}},
     30,
     "A"},
    {"gradshaf",
     "257x257_40",
     {{"gradshaf_axis_reduce", {256}, {256}}, {"gradshaf_step", {272, 272}, {16, 16}}},
     40,
     "A"},
    {"gradshaf",
     "513x513_30",
     {{"gradshaf_axis_reduce", {256}, {256}}, {"gradshaf_step", {528, 528}, {16, 16}}},
     30,
     "A"},
    {"gradshaf",
     "129x129_35",
     {{"gradshaf_axis_reduce", {256}, {256}}, {"gradshaf_step", {144, 144}, {16, 16}}},
     35,
     "B"},
    {"fft3d",
     "32cube",
     {{"fft3d_x", {32, 1024}, {32}}, {"fft3d_y", {32, 1024}, {32}}, {"fft3d_z", {32, 1024}, {32}}},
     1,
     "B"},
    {"fft3d",
     "64cube",
     {{"fft3d_x", {64, 4096}, {64}}, {"fft3d_y", {64, 4096}, {64}}, {"fft3d_z", {64, 4096}, {64}}},
     1,
     "B"},
    {"fft3d",
     "128cube",
     {{"fft3d_x", {128, 16384}, {128}},
      {"fft3d_y", {128, 16384}, {128}},
      {"fft3d_z", {128, 16384}, {128}}},
     1,
     "B"},
    {"fft3d",
     "256cube",
     {{"fft3d_x", {256, 65536}, {256}},
      {"fft3d_y", {256, 65536}, {256}},
      {"fft3d_z", {256, 65536}, {256}}},
     1,
     "B"},
    {"adi3d",
     "N64_20",
     {{"adi_x", {64, 64}, {32}}, {"adi_y", {64, 64}, {32}}, {"adi_z", {64, 64}, {32}}},
     20,
     "A"},
    {"adi3d",
     "N96_15",
     {{"adi_x", {96, 96}, {32}}, {"adi_y", {96, 96}, {32}}, {"adi_z", {96, 96}, {32}}},
     15,
     "B"},
    {"adi3d",
     "N128_10",
     {{"adi_x", {128, 128}, {32}}, {"adi_y", {128, 128}, {32}}, {"adi_z", {128, 128}, {32}}},
     10,
     "A"},
    {"adi3d",
     "P256x192x128_10",
     {{"adi_x", {192, 128}, {32}}, {"adi_y", {256, 128}, {32}}, {"adi_z", {256, 192}, {32}}},
     10,
     "A"},
    {"morton", "N32_120", {{"morton_stencil", {32768}, {256}}}, 120, "A"},
    {"morton", "N64_60", {{"morton_stencil", {262144}, {256}}}, 60, "A"},
    {"morton", "N128_30", {{"morton_stencil", {2097152}, {256}}}, 30, "A"},
    {"morton", "N256_10", {{"morton_stencil", {16777216}, {256}}}, 10, "A"},
};

TEST(Dispatch, IsKnownForEverySizeInOrder) {
  std::vector<std::string> expected, actual;
  for (const Known& each : known) expected.push_back(test_name(each.task, each.label));
  for (const Task* task : all_tasks())
    for (const Size& size : all_sizes(*task)) actual.push_back(test_name(task->name, size.label));
  std::sort(expected.begin(), expected.end());
  std::sort(actual.begin(), actual.end());
  EXPECT_EQ(actual, expected);
}

class Dispatch : public testing::TestWithParam<Known> {};

TEST_P(Dispatch, MatchesTheKnownLaunches) {
  const Known& expected = GetParam();
  const Task& task = the_task(expected.task);
  const Plan plan = plan_of(task, the_size(task, expected.label));
  ASSERT_EQ(plan.launches.size(), expected.rows.size() * expected.steps);
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    const Launch& launch = plan.launches[i];
    const Row& row = expected.rows[i % expected.rows.size()];
    EXPECT_EQ(launch.kernel, row.kernel);
    EXPECT_EQ(launch.grid, row.grid);
    EXPECT_EQ(launch.threadgroup, row.threadgroup);
    EXPECT_TRUE(launch.threadgroup_memory.empty());
  }
  ASSERT_FALSE(plan.results.empty());
  EXPECT_EQ(plan.buffers[plan.results[0]].name, expected.result);
}

const KernelContract& contract_of(const Task& task, std::string_view kernel) {
  for (const KernelContract& contract : task.kernels)
    if (contract.name == kernel) return contract;
  std::abort();
}

bool is_written(const ContractArgument& argument) {
  return argument.type.starts_with("device ") && !argument.type.starts_with("device const");
}

TEST_P(Dispatch, BindsWhatTheContractPromises) {
  const Task& task = the_task(GetParam().task);
  const Plan plan = plan_of(task, the_size(task, GetParam().label));
  for (const PlanBuffer& buffer : plan.buffers) {
    EXPECT_GT(buffer.bytes, 0U) << buffer.name;
    if (!buffer.initial.empty()) {
      EXPECT_EQ(buffer.initial.size(), buffer.bytes) << buffer.name;
    }
  }
  std::vector<std::size_t> written;
  for (const Launch& launch : plan.launches) {
    const auto& arguments = contract_of(task, launch.kernel).arguments;
    ASSERT_EQ(launch.bindings.size(), arguments.size());
    std::vector<std::size_t> reads, writes;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Binding& binding = launch.bindings[i];
      EXPECT_EQ(binding.index, i);
      EXPECT_EQ(arguments[i].index, i);
      EXPECT_LE(binding.offset + 4, plan.buffers[binding.buffer].bytes);
      if (arguments[i].type.starts_with("constant")) {
        EXPECT_EQ(plan.buffers[binding.buffer].name, arguments[i].name);
      }
      (is_written(arguments[i]) ? writes : reads).push_back(binding.buffer);
    }
    for (const std::size_t buffer : writes)
      EXPECT_EQ(std::count(reads.begin(), reads.end(), buffer), 0) << "read-only and written";
    written = writes;
  }
  EXPECT_EQ(std::count(written.begin(), written.end(), plan.results[0]), 1)
      << "the last launch writes the result";
}

INSTANTIATE_TEST_SUITE_P(Sizes, Dispatch, testing::ValuesIn(known), [](const auto& info) {
  return test_name(info.param.task, info.param.label);
});

// The buffers that a launch binds at the first `count` indices, by name.
std::vector<std::string> bound(const Plan& plan, std::size_t launch, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i)
    names.push_back(plan.buffers[plan.launches[launch].bindings[i].buffer].name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Buffers, AlternateFromStepToStep) {
  const Plan heat = plan_of(the_task("heat2d"), the_task("heat2d").sizes[0]);
  EXPECT_EQ(bound(heat, 0, 2), (Names{"A", "B"}));
  EXPECT_EQ(bound(heat, 1, 2), (Names{"B", "A"}));
  EXPECT_EQ(bound(heat, 48, 2), (Names{"A", "B"}));
}

TEST(Buffers, RotateInWave3d) {
  const Plan wave = plan_of(the_task("wave3d"), the_task("wave3d").sizes[0]);
  EXPECT_EQ(bound(wave, 0, 3), (Names{"A", "B", "C"}));
  EXPECT_EQ(bound(wave, 1, 3), (Names{"B", "C", "A"}));
  EXPECT_EQ(bound(wave, 2, 3), (Names{"C", "A", "B"}));
  EXPECT_EQ(bound(wave, 3, 3), (Names{"A", "B", "C"}));
  EXPECT_EQ(start_of(wave, "A"), start_of(wave, "B"));
}

TEST(Buffers, AlternateFromSweepToSweepInAdi3d) {
  const Plan adi = plan_of(the_task("adi3d"), the_task("adi3d").sizes[0]);
  EXPECT_EQ(bound(adi, 0, 2), (Names{"A", "B"}));
  EXPECT_EQ(bound(adi, 1, 2), (Names{"B", "A"}));
  EXPECT_EQ(bound(adi, 3, 2), (Names{"B", "A"}));
}

TEST(Buffers, PassTheListThroughAllThreeKernelsOfLj) {
  const Plan lj = plan_of(the_task("lj"), the_task("lj").sizes[0]);
  EXPECT_EQ(bound(lj, 0, 2), (Names{"cell_count", "M3"}));
  EXPECT_EQ(bound(lj, 1, 3), (Names{"posA", "cell_count", "cell_list"}));
  EXPECT_EQ(bound(lj, 2, 6), (Names{"posA", "posB", "velA", "velB", "cell_count", "cell_list"}));
  EXPECT_EQ(bound(lj, 4, 3), (Names{"posB", "cell_count", "cell_list"}));
}

TEST(Buffers, ReduceTheFieldThatTheStepReadsInGradshaf) {
  const Plan plan = plan_of(the_task("gradshaf"), the_task("gradshaf").sizes[0]);
  EXPECT_EQ(bound(plan, 0, 2), (Names{"A", "psi_axis"}));
  EXPECT_EQ(bound(plan, 1, 3), (Names{"A", "B", "psi_axis"}));
  EXPECT_EQ(bound(plan, 2, 2), (Names{"B", "psi_axis"}));
  EXPECT_EQ(bound(plan, 3, 3), (Names{"B", "A", "psi_axis"}));
}

// Everything starts each pass afresh, except for what the benchmark's own host leaves alone.
TEST(Buffers, AreResetBeforeEachPassButForTwo) {
  Names kept;
  for (const Task* task : all_tasks())
    for (const PlanBuffer& buffer : plan_of(*task, task->sizes[0]).buffers)
      if (!buffer.reset) kept.push_back(test_name(task->name, buffer.name));
  EXPECT_EQ(kept, (Names{"saxpy_x", "gradshaf_psi_axis"}));
}

}  // namespace
}  // namespace msci
