// The search for contents of a plan's buffers under which a kernel has a fault.
#pragma once

#include <functional>
#include <optional>

#include "evaluator/check/check_result.h"
#include "evaluator/modes/inputs/searched_buffers.h"

namespace msci {

// A checked run of a plan.
using CheckPlan = std::function<Result<Checked>(const Plan&)>;

struct InputSearch {
  std::vector<ChangedBuffer> changes;  // that give a fault; empty if none do
  Checked checked;                     // the run with them
  std::size_t runs = 0;                // to find and to shrink them
};

// Runs the plan with other contents, at most `most` times: first one buffer after the other with
// each pattern, then several at random, the same in each search. What gives a fault is then put
// back to the plan's contents, buffer by buffer and element by element, as long as the same fault
// stays. Elements that no thread stores do not count, since fewer are stored if a length is
// smaller.
Result<InputSearch> search_inputs(const Plan& plan, const std::vector<SearchedBuffer>& buffers,
                                  std::size_t most, const CheckPlan& check);

}  // namespace msci
