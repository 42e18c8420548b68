// The checked mode: a plan carried out by a checked program, and its faults told at their lines.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "evaluator/device/device.h"
#include "evaluator/plan.h"
#include "evaluator/program.h"
#include "lint/metal/diagnostic.h"

namespace msci {

// What came of a checked run. What is found before a kernel fails altogether is lost with it.
struct Checked {
  std::vector<Diagnostic> findings;  // by place; their ids are "check." and a Fault's kind
  std::optional<Failure> failure;    // it did not run to its end
  bool operator==(const Checked&) const = default;
};

// Runs one pass of a checked translation that was built as `program`. Errors are ours: the device
// lacks memory, the plan has too many threads.
Result<Checked> check(const Plan& plan, const Translation& checked, Program& program);

// The same, built for a device first.
Result<Checked> check(const Plan& plan, const Translation& checked, Device& device);

// What a fault means, in a sentence, with the conflicting access in a note.
Diagnostic describe(const Fault& fault, const Translation& checked);

}  // namespace msci
