// The requests to msci-eval --server that do not judge a kernel: check, profile, opencl, code,
// difference, draft.
#pragma once

#include "engine/device/device.h"
#include "evaluator/options/eval_options.h"
#include "evaluator/server/judge_server.h"
#include "tasks/plan/task.h"

namespace msci {

// What --check --json, --profile --json and --emit opencl print. `options` are the request's.
Result<JudgeAnswer> check_request(const JudgeRequest& request, const EvaluatorOptions& options,
                                  const Task& task, Device& processor);
Result<JudgeAnswer> profile_request(const JudgeRequest& request, const EvaluatorOptions& options,
                                    const Task& task, Device& processor);
// {"text": OpenCL C or null, "rejection": why there is none or null, "refused": messages}.
Result<JudgeAnswer> translation_request(const JudgeRequest& request,
                                        const EvaluatorOptions& options);
// For each language of code_text(), {"text": the code or null, "error": why there is none or null};
// "rejection" and "refused" as above.
Result<JudgeAnswer> code_request(const JudgeRequest& request, const EvaluatorOptions& options);
// The results of the strict verdict's first size: to_json(DifferenceMap), or "missing", why there
// are none.
Result<JudgeAnswer> difference_request(const JudgeRequest& request, const EvaluatorOptions& options,
                                       const Task& task, Device& processor);
// {"plan": text or null, "reference": text or null, "missing": why there is none or null}.
Result<JudgeAnswer> draft_request(const JudgeRequest& request, const EvaluatorOptions& options);

}  // namespace msci
