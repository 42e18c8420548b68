// Where ceilings come from.
#include "evaluator/measure/roofline.h"

#include <gtest/gtest.h>

#include <fstream>

#include "evaluator/device/worker.h"
#include "tests/fake_device.h"

namespace msci {
namespace {

TEST(KnownCeilings, follow_the_benchmarks_lookup_rule) {
  struct Case {
    std::string_view name;
    double gflops;
    double gbps;
  };
  for (const auto& [name, gflops, gbps] : std::vector<Case>{
           {"Apple M1 Pro", 4500, 200},  // exact, though "Apple M1" stands before it
           {"Apple M4 Max", 18000, 546},
           {"Apple M3 Ultra", 4100, 100},  // not listed: the first row that is part of it
           {"Apple M9", 2000, 80},
           {"NVIDIA H200", 67000, 4300}}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(known_ceilings(name), (Ceilings{gflops, gbps, Ceilings::Source::table}));
  }
  EXPECT_EQ(known_ceilings("NVIDIA H200 NVL"), std::nullopt);
  EXPECT_EQ(known_ceilings("pthread-skylake"), std::nullopt);
}

TEST(KnownCeilings, of_a_chip_are_its_own) {
  for (const auto& chip : all_chips()) EXPECT_EQ(known_ceilings(chip.title), ceilings_of(chip));
}

Result<Attempt<msci::Run>> took(std::vector<double> seconds) {
  return Attempt<msci::Run>{msci::Run{.seconds = std::move(seconds)}};
}

class FindCeilings : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    device_.about = {
        .name = "fake", .global_memory = std::size_t{16} << 30, .max_buffer = std::size_t{4} << 30};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Copy, then both chains of multiply-adds.
  void expect_measurement() {
    device_.run_answers = {took({0.5, 0.25}), took({2, 1}), took({8, 4})};
  }

  std::filesystem::path folder_ =
      testing::TempDir() + "roofline_test_" + std::to_string(::getpid());
  FakeDevice device_;
};

TEST_F(FindCeilings, measures_once_and_keeps_the_best) {
  Cache cache(folder_);
  expect_measurement();
  const auto first = find_ceilings(device_, cache);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->source, Ceilings::Source::measured);
  EXPECT_DOUBLE_EQ(first->gbps, 2 * 268435456 / 0.25 * 1e-9);
  // The wide chains did 16 times the work in four times the time.
  EXPECT_DOUBLE_EQ(first->gflops, 2.0 * 12 * 16 * 64 * 262144 / 4 * 1e-9);
  EXPECT_TRUE(device_.run_answers.empty());
  EXPECT_EQ(*find_ceilings(device_, cache), *first);
  device_.about.driver = "another";
  EXPECT_FALSE(find_ceilings(device_, cache)) << "another driver is measured anew";
}

TEST_F(FindCeilings, measures_again_if_the_cached_file_is_broken) {
  Cache cache(folder_);
  expect_measurement();
  ASSERT_TRUE(find_ceilings(device_, cache));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
    if (entry.is_regular_file()) std::ofstream(entry.path()) << "{\"gbps\": 1}";
  expect_measurement();
  EXPECT_TRUE(find_ceilings(device_, cache));
  EXPECT_TRUE(device_.run_answers.empty());
}

TEST_F(FindCeilings, reports_a_device_that_cannot_be_measured) {
  Cache cache(std::nullopt);
  device_.build_answer = Attempt<msci::Run>{Failure{Failure::Cause::build, "broken driver"}};
  const auto ceilings = find_ceilings(device_, cache);
  ASSERT_FALSE(ceilings);
  EXPECT_NE(ceilings.error().message.find("broken driver"), std::string::npos);
}

TEST(MeasureCeilings, finds_plausible_figures_on_a_real_device) {
  const auto device = open_worker_device("");
  ASSERT_TRUE(device) << device.error().message;
  const auto ceilings = measure_ceilings(**device);
  ASSERT_TRUE(ceilings) << ceilings.error().message;
  EXPECT_GT(ceilings->gbps, 0.5);
  EXPECT_LT(ceilings->gbps, 50'000);
  EXPECT_GT(ceilings->gflops, 1);
  EXPECT_LT(ceilings->gflops, 1'000'000);
}

}  // namespace
}  // namespace msci
