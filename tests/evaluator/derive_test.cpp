// The stored tolerances can be derived again, and the null battery is refused with them.
#include <gtest/gtest.h>

#include "engine/device/worker.h"
#include "evaluator/session/compile_kernel.h"
#include "evaluator/strict/strict_verdict.h"

namespace msci {
namespace {

class Derived : public testing::TestWithParam<const char*> {};

// Another processor may round some products differently, so the second digit is free.
TEST_P(Derived, anew_has_the_stored_tolerances) {
  const auto task = find_task(GetParam());
  ASSERT_TRUE(task);
  const auto seed = translate_unchecked({"seed.metal", std::string((*task)->seed)});
  ASSERT_TRUE(seed) << seed.error().message;
  const auto device = open_worker_device("");
  ASSERT_TRUE(device) << device.error().message;
  const auto anew = derive(**task, *seed, **device);
  ASSERT_TRUE(anew) << anew.error().message;
  const auto stored = derivation_from((*task)->derivation);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(anew->factor, stored->factor);
  for (const auto& size : stored->sizes) {
    const auto tolerance = anew->tolerance_of(size.label);
    ASSERT_TRUE(tolerance) << size.label;
    EXPECT_LE(*tolerance, 2 * size.tolerance) << size.label;
    EXPECT_GE(*tolerance, size.tolerance / 2) << size.label;
  }
}

INSTANTIATE_TEST_SUITE_P(Tasks, Derived, testing::Values("saxpy", "heat2d", "ising"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace msci
