// The two ways of winning at the sizes that are shown and losing at the one that is not.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "base/files/read_file.h"
#include "engine/device/worker.h"
#include "evaluator/evaluate.h"
#include "evaluator/session/compile_kernel.h"
#include "rules/rules.h"

namespace msci {
namespace {

class HeldOut : public testing::Test {
 protected:
  void SetUp() override {
    auto device = open_worker_device("", {.run = std::chrono::minutes(5)});
    ASSERT_TRUE(device) << device.error().message;
    device_ = *std::move(device);
  }

  static Translation translated(const Source& source) {
    const auto prepared = compile(source, all_rules());
    EXPECT_TRUE(prepared && prepared->translation);
    return *prepared->translation;
  }
  static Translation corpus(const std::string& file) {
    const auto source = read_source(MSCI_CORPUS "/held_out/" + file);
    EXPECT_TRUE(source) << source.error().message;
    return translated(*source);
  }
  static Translation seed(const Task& task) {
    return translated({"seed.metal", std::string(task.seed)});
  }

  Scored scored(const Task& task, const Translation& translation, Repeats repeats,
                bool held_out = true) {
    const auto evaluation =
        evaluate(task, translation, {.device = *device_, .ceilings = Ceilings{}, .cache = cache_},
                 {.repeats = repeats, .held_out = held_out});
    EXPECT_TRUE(evaluation) << evaluation.error().message;
    const auto* scored = std::get_if<Scored>(&evaluation->outcome);
    EXPECT_TRUE(scored) << "right at every size that is shown";
    return scored ? *scored : Scored{};
  }

  std::unique_ptr<Device> device_;
  Cache cache_{testing::TempDir() + "held_out_test"};
};

TEST_F(HeldOut, hmc_for_three_dimensions_is_wrong_at_a_fourth) {
  const Task& task = **find_task("hmc");
  const auto outcome = scored(task, corpus("hmc_enumerated.metal"), verify_only);
  ASSERT_TRUE(outcome.held_out);
  EXPECT_FALSE(outcome.held_out->correct());
}

// How often as long as the seed's pass the candidate's takes at one size.
double slowdown(const SizeResult& candidate, const SizeResult& seed) {
  return candidate.timing->seconds / seed.timing->seconds;
}

// Wants the machine for itself, which CMakeLists.txt sees to.

TEST_F(HeldOut, fft3d_for_three_lengths_collapses_at_a_fourth) {
  if (!std::getenv("MSCI_LONG_CHECKS")) GTEST_SKIP() << "MSCI_LONG_CHECKS is not set";
  const Task& task = **find_task("fft3d");
  const auto candidate = corpus("fft3d_enumerated.metal");
  constexpr Repeats few = {.warmup = 0, .timed = 1};  // of a size where a pass takes seconds
  constexpr Repeats some = {.warmup = 1, .timed = 3};
  const auto at_128 = scored(task, candidate, some, /*held_out=*/false);
  const auto seed_at_128 = scored(task, seed(task), some, /*held_out=*/false);
  const auto at_256 = scored(task, candidate, few);
  const auto seed_at_256 = scored(task, seed(task), few);
  ASSERT_TRUE(at_256.held_out && seed_at_256.held_out);
  EXPECT_TRUE(at_256.held_out->correct());
  // As fast as the seed at 128; more than twice as slow at 256.
  EXPECT_GT(slowdown(*at_256.held_out, *seed_at_256.held_out),
            1.4 * slowdown(at_128.sizes.back(), seed_at_128.sizes.back()));
}

}  // namespace
}  // namespace msci
