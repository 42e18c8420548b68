// The probe of ceilings as LLVM IR, which a back end without OpenCL C runs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "engine/cpu_device.h"
#include "evaluator/measure/roofline.h"

namespace msci {
namespace {

struct Passes {
  unsigned count = 0;  // of multiply-adds in each chain
  Bytes sums;          // of each thread
};

// Runs one pass of each plan on the engine, and says that it took a second.
class OncePerPlan : public Program {
 public:
  OncePerPlan(std::unique_ptr<Program> program, std::map<std::string, Passes>& passes)
      : program_(std::move(program)), passes_(passes) {}

  Result<Attempt<Run>> run(const Plan& plan, Repeats repeats) override {
    auto with_sums = plan;
    with_sums.results = {2};
    auto ran = program_->run(with_sums, verify_only);
    if (!ran || std::holds_alternative<Failure>(*ran)) return ran;
    auto& run = std::get<Run>(*ran);
    auto& passes = passes_[plan.launches[0].kernel];
    std::memcpy(&passes.count, plan.buffers[1].initial.data(), sizeof passes.count);
    passes.sums = run.outputs[0];
    run.seconds.assign(repeats.timed, 1);
    return ran;
  }

 private:
  std::unique_ptr<Program> program_;
  std::map<std::string, Passes>& passes_;
};

// The engine under the name of another back end that reads LLVM IR.
class OtherDevice : public Device {
 public:
  explicit OtherDevice(std::unique_ptr<Device> engine)
      : engine_(std::move(engine)), info_(engine_->info()) {
    info_.platform = "other";
  }
  std::map<std::string, Passes> passes;  // by the kernel

  const DeviceInfo& info() const override { return info_; }
  Result<Attempt<std::unique_ptr<Program>>> build(const Translation& translation) override {
    auto built = engine_->build(translation);
    if (!built || std::holds_alternative<Failure>(*built)) return built;
    return Attempt<std::unique_ptr<Program>>{std::make_unique<OncePerPlan>(
        std::get<std::unique_ptr<Program>>(*std::move(built)), passes)};
  }

 private:
  std::unique_ptr<Device> engine_;
  DeviceInfo info_;
};

// Of one lane of a thread.
float sum_of_chains(unsigned thread, unsigned count) {
  float sum = 0;
  for (unsigned chain = 0; chain < 12; ++chain) {
    auto value = static_cast<float>(thread) + static_cast<float>(chain);
    for (unsigned i = 0; i < count; ++i) value = std::fma(value, 0.999F, 0.001F);
    sum += value;
  }
  return sum;
}

TEST(CeilingProbe, has_the_same_kernels_for_back_ends_that_read_llvm_ir) {
  auto engine = open_cpu_device(0);
  ASSERT_TRUE(engine) << engine.error().message;
  OtherDevice device(*std::move(engine));
  auto probe = CeilingProbe::build(device);
  ASSERT_TRUE(probe) << probe.error().message;
  const auto rate = probe->gflops();
  ASSERT_TRUE(rate) << rate.error().message;
  const std::map<std::string, unsigned> lanes = {{"fma_narrow", 1}, {"fma_wide", 16}};
  ASSERT_EQ(device.passes.size(), lanes.size());
  for (const auto& [kernel, passes] : device.passes) {
    const auto sums = passes.sums.as<float>();
    for (const unsigned thread : {0U, 1U, 4711U, 65535U}) {
      const auto expected =
          static_cast<float>(lanes.at(kernel)) * sum_of_chains(thread, passes.count);
      EXPECT_NEAR(sums[thread], expected, 1e-5F * expected) << kernel << " " << thread;
    }
  }
  EXPECT_NEAR(rate->rate, 2.0 * 12 * 65536 * 64 * 1e-9, 1e-9);  // in a second
}

}  // namespace
}  // namespace msci
