// The checked mode: runs a plan with a checked program and reports its faults at their lines.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "analysis/check/fault_table.h"
#include "base/diagnostic.h"
#include "engine/device/device.h"
#include "evaluator/check/check_result.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci {

// Runs one pass of a checked translation that was built as `program`. If it lets stores go as equal
// and the plan leaves contents open, a second pass with differing contents there looks for races.
// Errors are ours: the device lacks memory, the plan has too many threads.
Result<Checked> check(const Plan& plan, const Translation& checked, Program& program);

// Builds the checked translation for a device first, and then runs one pass as above.
Result<Checked> check(const Plan& plan, const Translation& checked, Device& device);

// Runs the plan once more with a traced translation, to say where the infinite and NaN numbers that
// kernels left come from: the first operation that made one from finite numbers. Errors are ours.
[[nodiscard]] std::optional<Error> trace_not_finite(const Plan& plan, const Translation& traced,
                                                    Device& device, Checked& checked);

// Where a number was narrowed, runs the plan with both translations, of which `wider` has variables
// of 32 bits in place of narrower ones. The finding gets a note if the results differ; it becomes
// an error if they are wrong, and right with 32 bits. `is_right` compares results with a reference;
// null without one. Errors are ours.
using IsRight = std::function<Result<bool>(const Outputs&)>;
[[nodiscard]] std::optional<Error> compare_with_wider(Plan plan, const Translation& checked,
                                                      const Translation& wider, Device& device,
                                                      Checked& result,
                                                      const IsRight& is_right = nullptr);

// Runs the plan of a kernel with a race in several orders of threadgroups, simdgroups and lanes, of
// which the first is the usual one. `plain` has no checks. Nothing where the device has no choice
// or the kernel fails. Errors are ours.
Result<std::optional<Reruns>> rerun_in_orders(Plan plan, const Translation& plain, Device& device);

// "k.metal:3:5: thread ... [check.race]", without the notes.
std::string one_line(const Diagnostic& finding, const std::string& file);

// The text of a message that a kernel writes to an os_log.

// The format of the call, filled with the values of its arguments (KernelMessage::words). It
// follows printf() with the vectors of OpenCL ("%v4f") and the privacy of os_log ("%{public}d").
// Where a conversion does not fit its argument, the value is shown as what it is; "?" stands for a
// value that is not known. At most 1000 bytes, without a line break at the end.
std::string message_text(const DebugCall& call, std::span<const std::uint64_t> words);

}  // namespace msci
