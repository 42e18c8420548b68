// Decides whether a crash or a time-out was caused by the kernel.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/device/device.h"
#include "evaluator/evaluate.h"
#include "evaluator/result/outcome.h"
#include "evaluator/result/strict_result.h"
#include "evaluator/session/candidate.h"

namespace msci {

// Opens the processor, on which the checked form of a kernel runs. Errors: it cannot be opened.
using OpenProcessor = std::function<Result<std::unique_ptr<Device>>()>;

// Where deaths or limits are all that is wrong with a kernel, runs it once in the checked mode: at
// the task's small size and, if that shows nothing, at the first size that failed. A fault that it
// finds is the reason, and joins the message of each failure. Without a fault, returns an Error:
// the kernel could not be judged, because drivers' compilers die and devices are slow, too. Leaves
// other outcomes alone, and those of translated programs, which have no checks. `device`: on which
// it failed.
[[nodiscard]] std::optional<Error> explain_failures(const Candidate& candidate, const Task& task,
                                                    Outcome& outcome, const Device& device,
                                                    const OpenProcessor& open_processor);

// The same for a strict verdict that decides. Its own checked runs have looked for faults. Without
// one of them, a kernel that is right otherwise could not be judged.
[[nodiscard]] std::optional<Error> explain_failures(const Candidate& candidate, const Task& task,
                                                    const StrictResult& strict,
                                                    const Device& device);

// The same for both verdicts of a candidate's session; the strict one decides if `options` say so.
[[nodiscard]] std::optional<Error> explain_failures(const Session& session, Evaluation& evaluation,
                                                    const EvaluationOptions& options,
                                                    const OpenProcessor& open_processor);

}  // namespace msci
