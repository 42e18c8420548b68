// The checked form of a task's own kernel, on the processor.
#include "evaluator/forms/checked_form.h"

#include <gtest/gtest.h>

#include <future>

#include "plan/task.h"
#include "rules/rules.h"
#include "runtime/device/worker.h"

namespace msci {
namespace {

// The process that runs it dies with the thread that started it, so a form that a short thread
// built would serve no other.
TEST(CheckedForm, once_prepared_serves_one_thread_after_another) {
  const auto& task = **find_task("saxpy");
  const auto candidate = seed_of(task, all_rules());
  ASSERT_TRUE(candidate.prepared) << candidate.prepared.error().message;
  const auto plan = task.plan(task.small, *candidate.prepared->translation);
  ASSERT_TRUE(plan) << plan.error().message;
  auto processor = open_worker_device(cpu_device_name);
  ASSERT_TRUE(processor) << processor.error().message;
  SharedDevice checker{.device = *std::move(processor)};
  CheckedForm form(candidate, checker);
  const auto prepared = form.prepare();
  ASSERT_TRUE(prepared) << prepared.error().message;
  ASSERT_FALSE(std::holds_alternative<Failure>(*prepared)) << std::get<Failure>(*prepared).message;
  for (int i = 0; i < 2; ++i) {
    const auto faults =
        std::async(std::launch::async, [&] { return form.find_faults(*plan); }).get();
    ASSERT_TRUE(faults) << faults.error().message;
    EXPECT_EQ(std::get<std::vector<Diagnostic>>(*faults), std::vector<Diagnostic>{});
  }
}

}  // namespace
}  // namespace msci
