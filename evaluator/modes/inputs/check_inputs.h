// msci-eval --check --inputs N: searches inputs under which a kernel has a fault.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/device/device.h"
#include "evaluator/check/check_result.h"
#include "evaluator/session/candidate.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/task.h"

namespace msci {

// A checked run with the plan's own contents and, where it has no fault, at most `most` further
// runs with other contents. The result is that of the run with a fault. Its plan is written to
// `plan_file`, unless that is empty.
CheckResult check_inputs_on(const Candidate& candidate, const Task* task, Device& device,
                            std::size_t most, const std::string& plan_file);

// The buffers of a plan whose contents a search for faults may change.

// A buffer with the range that the plan declares for its numbers.
struct SearchedBuffer {
  std::size_t buffer = 0;  // index into Plan::buffers
  std::string name;
  std::string type;  // Metal's scalar
  double low = 0;    // the least and the greatest number
  double high = 0;

  std::size_t count_in(const Plan& plan) const;  // elements
};

// Other contents of a buffer.
struct ChangedBuffer {
  SearchedBuffer of;
  std::string pattern;  // "equal to the greatest number", "descending"
  std::vector<std::byte> contents;

  // How many elements differ from the plan's.
  std::size_t changed_in(const Plan& plan) const;
};

// Buffers with a "uniform" fill, whose range is that of the fill; and single integers, from 0 to
// the plan's number. Others may have an order or a meaning that a search does not know. Errors: the
// plan file cannot be read.
Result<std::vector<SearchedBuffer>> searched_buffers(const std::string& plan_file,
                                                     const Plan& plan);

// The text of the plan file with other contents at one size, to be saved as `saved_as`: for
// --check, without the values of expected results. Errors: the plan file cannot be read.
Result<std::string> plan_with(const std::string& plan_file, const std::string& size_label,
                              const std::vector<ChangedBuffer>& changes,
                              const std::string& saved_as);

// The search for contents of a plan's buffers under which a kernel has a fault.

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
