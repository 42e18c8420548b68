// perf_result.json, a file for other programs: the times of a kernel beside those of its task's
// seed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/device.h"
#include "evaluator/result/outcome.h"
#include "evaluator/score/performance.h"
#include "tasks/plan/task.h"

namespace msci {

class Fields;

// verify_result.json, a file for other programs: which cases of a task a kernel passes. Only
// kernels that pass all are timed for perf_result.json (perf_result.h).

// One case that is not right. Cases count from 1.
struct CaseFailure {
  std::size_t case_index = 0;
  std::string input;  // "1M (n=1048576)"
  std::string type;   // "mismatch", "compile", "pipeline", or a Failure's cause
  std::string message;
  bool operator==(const CaseFailure&) const = default;
};

struct VerifyResult {
  std::string task;
  std::string candidate;  // SHA-256 of its text
  std::string device;
  std::size_t total = 0;
  std::size_t passed = 0;
  std::vector<CaseFailure> failures;
  bool operator==(const VerifyResult&) const = default;

  bool proves(std::string_view hash) const {
    return total > 0 && passed == total && failures.empty() && candidate == hash;
  }
};

// The sizes of a task, each a case; the held-out size only where it was evaluated.
std::vector<const Size*> cases_of(const Task& task, const Outcome& outcome);
std::string input_of(const Size& size);                                       // "1M (n=1048576)"
const SizeResult* find_size(const Outcome& outcome, std::string_view label);  // null without it
// Why the outcome at a size is not right; none where it is.
std::optional<CaseFailure> failure_at(const Outcome& outcome, const Size& size, std::size_t index);

// The outcome of a task's sizes, each a case, including the held-out size where it was evaluated. A
// rejected kernel fails all cases.
VerifyResult verify_result(const Task& task, const Outcome& outcome, std::string candidate,
                           std::string device);

// verify_result.json, as in docs/schemas/verify_result.schema.json.
std::string to_json(const VerifyResult& result);
Result<VerifyResult> read_verify_result(std::string_view json);

// Why the verify result at `path` does not allow timing of the kernel with that text: it is
// missing, it cannot be read, it has no cases, it is about another kernel, or not all cases passed
// (the message lists the first five failures). None if it allows it.
[[nodiscard]] std::optional<Error> refuse_timing(const std::string& path,
                                                 std::string_view candidate_text);

void describe(Fields& field, CaseFailure& failure);
void describe(Fields& field, VerifyResult& result);

// One implementation at one size.
struct Latency {
  std::optional<double> milliseconds;  // the median of the timed passes
  double memory_mb = 0;                // 1e6 bytes of device buffers
  std::vector<std::string> kernels;    // in the order of their first launch
  bool operator==(const Latency&) const = default;
};

struct PerfCase {
  std::string input;
  Latency framework;       // the task's seed kernel, on the same device
  Latency implementation;  // the candidate
  std::optional<double> speed_up;
  std::optional<CaseFailure> failure;  // of either
  bool operator==(const PerfCase&) const = default;
};

struct PerfResult {
  std::string task;
  std::string candidate;
  std::string device;
  Repeats repeats;
  std::vector<PerfCase> cases;

  // The geometric mean over passed cases with a valid ratio.
  std::optional<double> speed_up() const;
  // The passed cases, from 1, whose ratio is of that kind.
  std::vector<std::size_t> indices(RatioClass kind) const;
};

// Candidate and seed, each evaluated on this device with these repeats.
PerfResult perf_result(const Task& task, const Translation& candidate, const Outcome& outcome,
                       const Translation& seed, const Outcome& seed_outcome, std::string hash,
                       std::string device, Repeats repeats);

// perf_result.json, as in docs/schemas/perf_result.schema.json.
std::string to_json(const PerfResult& result);

}  // namespace msci
