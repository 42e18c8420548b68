// Ceilings that are measured, kept, and measured again.
#include <gtest/gtest.h>

#include <fstream>

#include "engine/device/worker.h"
#include "evaluator/measure/roofline.h"
#include "tests/fake_device.h"

namespace msci {
namespace {

Result<Attempt<msci::Run>> took(std::vector<double> seconds) {
  return Attempt<msci::Run>{msci::Run{.seconds = std::move(seconds)}};
}

// A device that moves so many GB/s and computes ten times as many GFLOPS, beside a load that takes
// a share of it.
class Gauge : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    device_.about = {.name = "fake",
                     .kind = DeviceInfo::Kind::cpu,
                     .global_memory = std::size_t{16} << 30,
                     .max_buffer = std::size_t{4} << 30};
    device_.answer = [this](const Plan& plan, Repeats repeats) {
      const auto& kernel = plan.launches.front().kernel;
      const double seconds =
          (kernel.starts_with("fma") ? operations_of(plan) : bytes_of(plan)) / (speed_ * 1e9);
      return took(std::vector<double>(repeats.timed, seconds));
    };
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static double bytes_of(const Plan& plan) {
    const auto bytes = static_cast<double>(plan.buffers[0].bytes * plan.launches.size());
    return plan.launches.front().kernel == "copy" ? 2 * bytes : 3 * bytes;
  }
  // A tenth, so that the GFLOPS are ten times the GB/s.
  static double operations_of(const Plan& plan) {
    unsigned count = 0;
    std::memcpy(&count, plan.buffers[1].initial.data(), sizeof count);
    const double width = plan.launches.front().kernel == "fma_wide" ? 16 : 1;
    return 2.0 * 12 * width * count * (1 << 16) / 10;
  }

  Result<CeilingGauge> open() {
    return CeilingGauge::open(device_, cache_, [this] { return is_busy_; });
  }
  std::size_t files() const {
    std::size_t count = 0;
    if (std::filesystem::exists(folder_))
      for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
        count += entry.is_regular_file();
    return count;
  }

  static constexpr std::size_t set = std::size_t{1} << 20;
  static constexpr std::size_t beyond_caches = std::size_t{1} << 32;
  std::filesystem::path folder_ =
      testing::TempDir() + "ceiling_gauge_test_" + std::to_string(::getpid());
  Cache cache_{folder_};
  FakeDevice device_;
  double speed_ = 40;
  bool is_busy_ = false;
};

TEST_F(Gauge, measures_once_and_keeps_what_it_found) {
  auto gauge = open();
  ASSERT_TRUE(gauge) << gauge.error().message;
  ASSERT_FALSE(gauge->prepare(Ceiling::bandwidth, set));
  EXPECT_EQ(gauge->current().source, Ceilings::Source::measured);
  EXPECT_NEAR(gauge->current().gbps, 40, 1e-9);
  EXPECT_NEAR(gauge->current().gflops, 400, 1e-9);
  EXPECT_FALSE(gauge->current().is_beside_load);
  const auto asked = device_.asked.size();
  auto second = open();
  ASSERT_TRUE(second && !second->prepare(Ceiling::bandwidth, set));
  EXPECT_EQ(device_.asked.size(), asked);
  EXPECT_EQ(second->current(), gauge->current());
  device_.about.driver = "another";
  ASSERT_TRUE(open());
  EXPECT_GT(device_.asked.size(), asked) << "another driver is measured anew";
}

TEST_F(Gauge, keeps_nothing_that_was_measured_beside_other_work) {
  is_busy_ = true;
  speed_ = 10;
  auto gauge = open();
  ASSERT_TRUE(gauge && !gauge->prepare(Ceiling::bandwidth, set));
  EXPECT_TRUE(gauge->current().is_beside_load);
  EXPECT_EQ(files(), 0u);
  speed_ = 40;
  is_busy_ = false;
  ASSERT_FALSE(gauge->measure_again(Ceiling::bandwidth, set));
  EXPECT_NEAR(gauge->current().of(Ceiling::bandwidth, set), 40, 1e-9);
  EXPECT_EQ(files(), 0u) << "that of memory is still one from beside other work";
  EXPECT_FALSE(gauge->is_doubtful(Ceiling::bandwidth, set));
  EXPECT_TRUE(gauge->is_doubtful(Ceiling::bandwidth, beyond_caches));
  EXPECT_TRUE(gauge->current().is_beside_load);
  const auto next = open();
  ASSERT_TRUE(next);
  EXPECT_NEAR(next->current().gbps, 40, 1e-9);
  EXPECT_EQ(files(), 1u);
}

TEST_F(Gauge, keeps_what_a_calm_machine_gives_in_the_end) {
  is_busy_ = true;
  speed_ = 10;
  auto gauge = open();
  ASSERT_TRUE(gauge);
  is_busy_ = false;
  speed_ = 40;
  ASSERT_FALSE(gauge->measure_again(Ceiling::bandwidth, beyond_caches));
  EXPECT_TRUE(gauge->current().is_beside_load);
  ASSERT_FALSE(gauge->measure_again(Ceiling::compute, set));
  EXPECT_FALSE(gauge->current().is_beside_load);
  EXPECT_NEAR(gauge->current().gbps, 40, 1e-9);
  EXPECT_NEAR(gauge->current().gflops, 400, 1e-9);
  EXPECT_EQ(files(), 1u);
}

TEST_F(Gauge, keeps_nothing_that_is_not_steady) {
  device_.about.kind = DeviceInfo::Kind::gpu;
  device_.answer = [](const Plan&, Repeats) { return took({0.5, 0.5, 0.4, 0.4}); };
  const auto gauge = CeilingGauge::open(device_, cache_);
  ASSERT_TRUE(gauge);
  EXPECT_TRUE(gauge->current().is_beside_load);
  EXPECT_EQ(files(), 0u);
}

TEST_F(Gauge, replaces_a_kept_ceiling_that_a_later_measurement_refutes) {
  speed_ = 10;  // and nothing tells of the load
  ASSERT_TRUE(open() && !open()->prepare(Ceiling::bandwidth, set));
  ASSERT_EQ(files(), 1u);
  speed_ = 40;
  for (const bool is_busy : {true, false}) {
    is_busy_ = is_busy;
    auto gauge = open();
    ASSERT_TRUE(gauge && !gauge->prepare(Ceiling::bandwidth, set));
    ASSERT_FALSE(gauge->measure_again(Ceiling::bandwidth, set));
    EXPECT_NEAR(gauge->current().of(Ceiling::bandwidth, set), 40, 1e-9);
    EXPECT_EQ(files(), is_busy ? 0u : 1u) << "a busy machine only removes the false one";
  }
  auto gauge = open();
  ASSERT_TRUE(gauge && !gauge->measure_again(Ceiling::compute, set));
  EXPECT_NEAR(gauge->current().gflops, 400, 1e-9);
}

TEST_F(Gauge, keeps_a_higher_ceiling_of_a_calm_machine) {
  speed_ = 10;
  ASSERT_TRUE(open());
  speed_ = 40;
  auto gauge = open();
  ASSERT_TRUE(gauge && !gauge->measure_again(Ceiling::compute, set));
  const auto asked = device_.asked.size();
  const auto next = open();
  ASSERT_TRUE(next);
  EXPECT_NEAR(next->current().gflops, 400, 1e-9);
  EXPECT_EQ(device_.asked.size(), asked);
}

TEST_F(Gauge, takes_no_file_of_earlier_versions) {
  ASSERT_TRUE(open());
  std::filesystem::path name;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
    if (entry.is_regular_file()) name = std::filesystem::relative(entry.path(), folder_);
  const std::string old = R"({"gflops": 1, "gbps": 2})";
  cache_.store(name.string(), std::as_bytes(std::span(old)));
  const auto gauge = open();
  ASSERT_TRUE(gauge);
  EXPECT_NEAR(gauge->current().gbps, 40, 1e-9);
}

TEST_F(Gauge, measures_again_if_the_kept_file_is_broken) {
  ASSERT_TRUE(open());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
    if (entry.is_regular_file()) std::ofstream(entry.path()) << "{\"gbps\": 1}";
  const auto gauge = open();
  ASSERT_TRUE(gauge);
  EXPECT_NEAR(gauge->current().gbps, 40, 1e-9);
}

TEST_F(Gauge, measures_caches_of_devices_of_the_table_except_for_those_of_apple) {
  speed_ = 5000;
  device_.about.name = "NVIDIA H200";
  auto gauge = open();
  ASSERT_TRUE(gauge && !gauge->prepare(Ceiling::bandwidth, set));
  EXPECT_EQ(gauge->current().gbps, 4300);
  EXPECT_NEAR(gauge->current().of(Ceiling::bandwidth, set), 5000, 1e-6);
  EXPECT_EQ(gauge->current().source, Ceilings::Source::table);
  device_.about.name = "Apple M1";
  const auto asked = device_.asked.size();
  auto apple = open();
  ASSERT_TRUE(apple && !apple->prepare(Ceiling::bandwidth, set));
  ASSERT_FALSE(apple->measure_again(Ceiling::bandwidth, set));
  EXPECT_EQ(apple->current().of(Ceiling::bandwidth, set), 68);
  EXPECT_EQ(device_.asked.size(), asked);
}

TEST_F(Gauge, reports_a_device_that_cannot_be_measured) {
  device_.build_answer = Attempt<msci::Run>{Failure{Failure::Cause::build, "broken driver"}};
  const auto gauge = open();
  ASSERT_FALSE(gauge);
  EXPECT_NE(gauge.error().message.find("broken driver"), std::string::npos);
}

TEST(CeilingGauge, finds_plausible_figures_on_a_real_device) {
  const auto device = open_worker_device("");
  ASSERT_TRUE(device) << device.error().message;
  Cache none(std::nullopt);
  const auto gauge = CeilingGauge::open(**device, none);
  ASSERT_TRUE(gauge) << gauge.error().message;
  const auto& ceilings = gauge->current();
  EXPECT_GT(ceilings.gbps, 0.5);
  EXPECT_LT(ceilings.gbps, 50'000);
  EXPECT_GT(ceilings.gflops, 1);
  EXPECT_LT(ceilings.gflops, 1'000'000);
}

}  // namespace
}  // namespace msci
