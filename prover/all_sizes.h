// The launches of a task at all sizes of its contract, from what they are at some.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "plan/task.h"
#include "prover/launch_facts.h"

namespace msci::prover {

struct AllSizes {
  std::vector<SizeRange> sizes;
  std::vector<LaunchFacts> launches;  // forms in the sizes that each of the drawn sizes fits
  // Why there are none: "the threadgroup of `k` depends on the size".
  std::string reason = {};
};

// Draws sizes of the contract. Errors: as of Task::plan.
Result<AllSizes> launches_at_all_sizes(const Task& task, const Translation& checked);

// "nx from 1 to 4096, ny from 1 to 4096".
std::string to_string(const std::vector<SizeRange>& sizes);

}  // namespace msci::prover
