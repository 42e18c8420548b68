// The messages between msci-eval --server and its clients: JSON, one object on a line
// (docs/guide/judging.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "evaluator/options/timing_options.h"
#include "evaluator/options/verdict_options.h"

namespace msci {

// What a client wants to know about a kernel.
enum class WantedVerdict {
#define MSCI_VERDICT(verdict, function, ...) verdict,
#include "evaluator/server/verdicts.def"
#undef MSCI_VERDICT
};

enum class RivalUse { refused, allowed, required };

struct VerdictTraits {
  std::string_view name;
  std::string_view answer = "evaluation";  // the member of an answer that has it
  bool reads_only = false;                 // the kernel does not run, so that no task is needed
  RivalUse rival = RivalUse::refused;      // "rival" in a request for it
  bool is_timed = false;                   // has measured times
  bool is_predicted = false;               // has predicted times
  bool is_on_page = false;                 // whether the page of msci-eval --page may ask for it

  // Whether it is an evaluation, which names its source in one place only.
  bool is_evaluation() const { return answer == "evaluation"; }
};
const VerdictTraits& traits_of(WantedVerdict verdict);
// The names of the verdicts that the page may ask for.
std::vector<std::string_view> verdicts_on_page();

// A kernel to judge.
struct JudgeRequest {
  Source source;
  // Why `source` cannot be a kernel: it is empty, or binary. Empty if it can.
  std::string no_text;
  std::string task;  // empty with a plan, and for lint
  std::string plan;  // a file
  WantedVerdict verdict = WantedVerdict::verify;
  // The kernel to measure in turns with; the text "seed" stands for the task's own.
  std::optional<Source> rival;
  // Those options that are fields of a request; the others are the server's own.
  VerdictOptions judging;
  TimingOptions timing;
  bool uses_cache = true;        // of verdicts; a timed one only if the request asks for it
  bool wants_diagnosis = false;  // of a wrong kernel, which takes up to 20 seconds more

  // Whether nothing else may run beside it.
  bool is_timed() const { return traits_of(verdict).is_timed || rival; }
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

// Answers, with their line feeds. `kind`: VerdictTraits::answer; `json`: that object. `seconds`: a
// JSON object, where the time went; empty for a verdict that was kept.
std::string to_answer(const std::string& id, std::string_view kind, std::string_view json,
                      std::string_view seconds);
std::string to_answer(const std::string& id, const Error& error);
std::string to_cancelled_answer(const std::string& id);

}  // namespace msci
