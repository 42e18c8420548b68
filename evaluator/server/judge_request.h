// The messages between msci-eval --server and its clients: JSON, one object on a line
// (docs/judging.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "base/source.h"
#include "evaluator/options/timing_options.h"
#include "evaluator/options/verdict_options.h"

namespace msci {

// What a client wants to know about a kernel.
// `check`, `profile` and `opencl` are what the options of these names (--emit opencl) print; `code`
// has all languages of --emit, with the lines of the source.
enum class WantedVerdict {
  lint,
  verify,
  strict,
  timed,
  predicted,
  check,
  profile,
  opencl,
  code,
  difference,  // where the results of the strict verdict's first size are wrong
  compared,    // times in turns with those of another kernel, and the counters that differ
  draft        // a plan for the kernels, and the program of its reference
};
std::string_view to_string(WantedVerdict verdict);
// Whether the kernel is read and not run, so that no task is needed.
bool needs_no_task(WantedVerdict verdict);
// The member of an answer that has the verdict.
std::string_view answer_kind(WantedVerdict verdict);

// A kernel to judge.
struct JudgeRequest {
  Source source;
  // Why `source` is no text of a kernel: it is empty, or binary. Empty where it may be one.
  std::string no_text;
  std::string task;  // empty with a plan, and for lint
  std::string plan;  // a file
  WantedVerdict verdict = WantedVerdict::verify;
  // The kernel to measure in turns with; the text "seed" stands for the task's own.
  std::optional<Source> rival;
  // Those options that are fields of a request; the others are the server's own.
  VerdictOptions judging;
  TimingOptions timing;
  bool uses_cache = true;  // of verdicts; a timed one only if the request asks for it

  // Whether nothing else may run beside it.
  bool is_timed() const { return verdict == WantedVerdict::timed || rival; }
};

// A line: a kernel to judge, or the id of an earlier request that is cancelled.
struct Cancellation {
  std::string id;  // as JSON
};
struct ServedLine {
  std::string id = "null";  // as JSON; the answer repeats it
  Result<std::variant<JudgeRequest, Cancellation>> content;
};

// Errors: malformed JSON, an unknown or missing key, a wrong value, a file that cannot be read.
ServedLine parse_served_line(std::string_view line);

// The JSON schema of a line, as text.
std::string judge_request_schema();

// Answers, with their line feeds. `kind`: answer_kind(); `json`: that object. `seconds`:
// a JSON object, where the time went; empty for a verdict that was kept.
std::string to_answer(const std::string& id, std::string_view kind, std::string_view json,
                      std::string_view seconds);
std::string to_answer(const std::string& id, const Error& error);
std::string to_cancelled_answer(const std::string& id);

}  // namespace msci
