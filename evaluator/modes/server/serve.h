// msci-eval --server: connects the server of judgements with tasks, devices and lint.
#pragma once

#include <filesystem>
#include <memory>

#include "base/files/cache.h"
#include "engine/device/device.h"
#include "evaluator/options/eval_options.h"
#include "evaluator/server/judge_server.h"
#include "tasks/plan/task.h"

namespace msci {

// Serves until the input ends or a signal arrives; returns the exit code.
int serve(const EvaluatorOptions& options);

// A device that several processes share: a run whose passes are timed has it alone, and other runs
// go beside each other.

// The same device, whose runs wait for their turns. All processes that name the same files, which
// lie in a folder of theirs and begin with `files`, share it. Everything but runs (a program's
// build, the checks of results) goes on meanwhile, and so do the processors.
std::unique_ptr<Device> with_turns(std::unique_ptr<Device> device, std::filesystem::path files);

// The requests to msci-eval --server that do not judge a kernel: check, profile, opencl, code,
// difference, draft.

// A request and what answers it.
struct ServedRequest {
  const JudgeRequest& request;
  EvaluatorOptions options;  // the server's, with those of the request
  const Task* task;          // null for verdicts that only read the kernel
  Device& device;
  Device& processor;
  Cache& cache;
};

// What --check --json, --profile --json and --emit opencl print.
Result<JudgeAnswer> check_request(const ServedRequest& served);
Result<JudgeAnswer> profile_request(const ServedRequest& served);
// {"text": OpenCL C or null, "rejection": why there is none or null, "refused": messages}.
Result<JudgeAnswer> translation_request(const ServedRequest& served);
// For each language of code_text(), {"text": the code or null, "error": why there is none or null};
// "rejection" and "refused" as above.
Result<JudgeAnswer> code_request(const ServedRequest& served);
// The results of the strict verdict's first size: to_json(DifferenceMap), or "missing", why there
// are none.
Result<JudgeAnswer> difference_request(const ServedRequest& served);
// {"plan": text or null, "reference": text or null, "missing": why there is none or null}.
Result<JudgeAnswer> draft_request(const ServedRequest& served);

}  // namespace msci
