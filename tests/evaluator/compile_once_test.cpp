// How often a kernel is linted, and proved with it, until it is checked or judged.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <new>

#include "engine/device/worker.h"
#include "evaluator/modes/check_files.h"
#include "evaluator/session/sanitized_program.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Shared with the processes that lint.
std::atomic<int>& lints() {
  static auto* const count = new (::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<int>(0);
  return *count;
}

const Rule counting{.check = [](const Unit&, Reporter&) { ++lints(); }};
const ListedRule rules[] = {
    {.id = "test.counting", .page = "# counting\nCounts.", .rule = &counting}};

// With a race, an infinite number and a number that is cut, each of which has a form of its own.
constexpr const char* faulty = R"(#include <metal_stdlib>
using namespace metal;
kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& n [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  const short cut = 1000 * i;
  y[i] = exp(a * x[i] + 100 + cut);
  y[i + 1] = y[i];
}
)";

class CompileOnce : public testing::Test {
 protected:
  void SetUp() override {
    lints() = 0;
    auto opened = open_worker_device(cpu_device_name);
    ASSERT_TRUE(opened) << opened.error().message;
    processor_ = *std::move(opened);
  }

  std::unique_ptr<Device> processor_;
};

TEST_F(CompileOnce, a_checked_run_lints_once_whatever_it_finds) {
  const auto& task = **find_task("saxpy");
  const auto candidate = candidate_of({.source = Source{"k.metal", faulty}}, rules,
                                      {.purpose = TranslationPurpose::checking});
  ASSERT_TRUE(candidate.compiled && candidate.compiled->translation);
  const auto result = check_candidate_on(candidate, &task, *processor_);
  const auto* checked = std::get_if<Checked>(&result.result);
  ASSERT_TRUE(checked);
  EXPECT_TRUE(checked->has_race());
  EXPECT_TRUE(checked->has_narrowed());
  EXPECT_TRUE(checked->has_not_finite);
  EXPECT_EQ(lints(), 1);
}

TEST_F(CompileOnce, a_strict_verdict_lints_once) {
  const auto candidate =
      candidate_of({.task = *find_task("saxpy")}, rules, {.purpose = TranslationPurpose::covering});
  SanitizedProgram program(candidate, *processor_);
  const auto prepared = program.prepare();
  ASSERT_TRUE(prepared) << prepared.error().message;
  EXPECT_TRUE(std::holds_alternative<std::monostate>(*prepared));
  EXPECT_EQ(lints(), 1);
}

}  // namespace
}  // namespace msci
