// msci-eval --server: judges kernels for many clients (docs/judging.md).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "evaluator/server/judge_request.h"
#include "evaluator/server/verdict_cache.h"

namespace msci {

// What a process says about a kernel.
struct JudgeAnswer {
  std::string kind;         // "evaluation" or "report"
  std::string json;         // that object
  std::string seconds;      // a JSON object: of each phase
  bool is_verdict = false;  // about the kernel alone, and not about a limit or a device of ours
};

// Judges one kernel, in a process of its own, which handles no other. `slot` differs from that of
// all kernels that are judged at the same time. Errors are ours.
using JudgeOne = std::function<Result<JudgeAnswer>(const JudgeRequest&, unsigned slot)>;

struct JudgeServerOptions {
  JudgeOne judge;
  unsigned jobs = 1;              // kernels at once; a timed one has the machine alone
  VerdictCache* cache = nullptr;  // null: no verdict is kept
  // Everything that the verdict depends on beside the request: msci, the device, the files of a
  // plan. Nothing if that is unknown; the verdict is then neither shared nor kept.
  std::function<std::optional<std::string>(const JudgeRequest&)> version;
};

// Serves standard input until it ends, or, with a path, a Unix socket until SIGTERM or SIGINT.
// Errors: as of serve_standard_streams() and serve_unix_socket().
Result<std::monostate> serve_judgements(const JudgeServerOptions& options,
                                        const std::string& socket);

}  // namespace msci
