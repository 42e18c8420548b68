// A task's own kernel with checks, on the processor.
#include "evaluator/session/sanitized_program.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

#include "engine/device/worker.h"
#include "rules/rules.h"
#include "tasks/plan/task.h"

namespace msci {
namespace {

// The process that runs it dies with the thread that started it, so one that a short thread
// built would serve no other.
TEST(SanitizedProgram, once_prepared_serves_one_thread_after_another) {
  const auto& task = **find_task("saxpy");
  const auto candidate = candidate_of({.task = &task}, all_rules());
  ASSERT_TRUE(candidate.compiled) << candidate.compiled.error().message;
  const auto plan = task.plan(task.small, *candidate.compiled->translation);
  ASSERT_TRUE(plan) << plan.error().message;
  auto processor = open_worker_device(cpu_device_name);
  ASSERT_TRUE(processor) << processor.error().message;
  SanitizedProgram program(candidate, **processor);
  const auto prepared = program.prepare();
  ASSERT_TRUE(prepared) << prepared.error().message;
  ASSERT_FALSE(std::holds_alternative<Failure>(*prepared)) << std::get<Failure>(*prepared).message;
  for (int i = 0; i < 2; ++i) {
    const auto faults =
        std::async(std::launch::async, [&] { return program.find_faults(*plan); }).get();
    ASSERT_TRUE(faults) << faults.error().message;
    EXPECT_TRUE(std::get<FoundFaults>(*faults).decisive.empty());
  }
}

// As the strict verdicts of several GPUs do.
TEST(SanitizedProgram, those_of_several_threads_share_a_device) {
  const auto& task = **find_task("saxpy");
  const auto candidate = candidate_of({.task = &task}, all_rules());
  ASSERT_TRUE(candidate.compiled) << candidate.compiled.error().message;
  const auto plan = task.plan(task.small, *candidate.compiled->translation);
  ASSERT_TRUE(plan) << plan.error().message;
  auto processor = open_worker_device(cpu_device_name);
  ASSERT_TRUE(processor) << processor.error().message;
  std::vector<std::future<bool>> clean;
  for (int i = 0; i < 4; ++i)
    clean.push_back(std::async(std::launch::async, [&] {
      SanitizedProgram program(candidate, **processor);
      const auto faults = program.find_faults(*plan);
      const auto* found = faults ? std::get_if<FoundFaults>(&*faults) : nullptr;
      return found && found->decisive.empty() && !found->has_other_race;
    }));
  for (auto& each : clean) EXPECT_TRUE(each.get());
}

}  // namespace
}  // namespace msci
