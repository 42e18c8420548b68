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

// If a kernel has failed by nothing but crashes and time-outs, runs it in the checked mode: at the
// task's small size and, if that shows nothing, at the first size that failed. A fault that this
// finds is the reason, and is added to the message of each failure. Without a fault, returns an
// Error, "could not judge", because a driver may have crashed or a device may be too slow, unless a
// guard has shown that the kernel left its memory. Changes no other outcome, and none of a
// translated program, which has no checks. `device`: the one on which the kernel failed.
[[nodiscard]] std::optional<Error> explain_failures(const Candidate& candidate, const Task& task,
                                                    Outcome& outcome, const Device& device,
                                                    const OpenProcessor& open_processor);

// The same for a strict verdict that decides. It makes no run, because the verdict has made checked
// runs. Returns an Error, too, if one of these is missing and the kernel is right otherwise.
[[nodiscard]] std::optional<Error> explain_failures(const Candidate& candidate, const Task& task,
                                                    const StrictResult& strict,
                                                    const Device& device);

// The same for both verdicts of a candidate's session; the strict one decides if `options` say so.
[[nodiscard]] std::optional<Error> explain_failures(const Session& session, Evaluation& evaluation,
                                                    const EvaluationOptions& options,
                                                    const OpenProcessor& open_processor);

}  // namespace msci
