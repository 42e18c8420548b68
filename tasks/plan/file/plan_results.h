// The results of a plan file: what they must be, and whether a kernel's are right.
#pragma once

#include <chrono>
#include <vector>

#include "base/files/cache.h"
#include "tasks/plan/file/expected_result.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/file/plan_instance.h"
#include "tasks/plan/task.h"

namespace msci {

// A plan at one size with its contents, and how its commands run.
struct PlanRun {
  const PlanDocument& document;
  const Size& size;
  const PlanInstance& instance;
  std::chrono::milliseconds limit;  // of each command
  Cache* cache = nullptr;           // of references; null: none is kept
};

// The field "expect", in the order of Plan::results.
std::vector<ExpectedResult> read_expected(PlanFieldReader& reader, const PlanRun& run,
                                          const Tolerance& tolerance);

// Whether the command of the field "check" takes the results; true without one.
bool run_check(PlanFieldReader& reader, const PlanRun& run,
               const std::vector<ExpectedResult>& expected, const Outputs& outputs);

}  // namespace msci
