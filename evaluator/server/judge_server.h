// msci-eval --server: judges kernels for many clients (docs/guide/judging.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "evaluator/server/judge_request.h"
#include "evaluator/server/verdict_cache.h"

namespace msci {

// What a process says about a kernel.
struct JudgeAnswer {
  std::string json;         // the object that VerdictTraits::answer names
  std::string seconds;      // a JSON object: of each phase
  bool is_verdict = false;  // about the kernel alone, and not about a limit or a device of ours
};

// Judges one kernel, in a process of its own, which handles no other. `slot` differs from that of
// all kernels that are judged at the same time. Errors are ours.
using JudgeOne = std::function<Result<JudgeAnswer>(const JudgeRequest&, unsigned slot)>;

// Under which a verdict is kept and shared.
struct SharedVerdict {
  std::string digest;  // of everything that it depends on
  std::string name;    // of the source while it is judged
};

struct JudgeServerOptions {
  JudgeOne judge;
  unsigned jobs = 1;              // kernels at once
  bool times_alone = true;        // whether a timed kernel has the machine alone
  VerdictCache* cache = nullptr;  // null: no verdict is kept
  // std::nullopt: do not share or keep this verdict, because it depends on something unknown.
  std::function<std::optional<SharedVerdict>(const JudgeRequest&)> share;
  // A shared verdict, JudgeAnswer::json, as that of a source with this name. Errors: it is damaged.
  std::function<Result<std::string>(WantedVerdict, const std::string& json,
                                    const std::string& name)>
      named;
};

// Serves standard input until it ends, or, with a path, a Unix socket until SIGTERM or SIGINT.
// Errors: as of serve_standard_streams() and serve_unix_socket().
[[nodiscard]] std::optional<Error> serve_judgements(const JudgeServerOptions& options,
                                                    const std::string& socket);

// The same for training loops that speak HTTP (docs/guide/judging.md).

struct JudgeHttpOptions {
  std::string address = "127.0.0.1";       // of IPv4
  std::uint16_t port = 0;                  // 0: a free one
  std::string token;                       // that requests have to bring; empty: a random one
  std::vector<std::string> tasks;          // the only ones of requests
  std::vector<std::string> judge_command;  // msci-eval --server …
};

// Prints the address, and the token if it is a random one, as one line of JSON, and serves until
// SIGTERM or SIGINT. Errors: it cannot listen there.
[[nodiscard]] std::optional<Error> serve_judge_over_http(const JudgeHttpOptions& options);

}  // namespace msci
