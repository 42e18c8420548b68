// Results as files have them: what msci-eval and msci-lint write with --json, and the folders of
// searches. docs/json.md tells the fields.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluator/report/gate_record.h"
#include "lint/metal/result.h"

namespace msci {

struct SizeRecord {
  std::string label;
  bool correct = false;
  // None where nothing was timed.
  std::optional<double> seconds;
  std::optional<double> achieved;   // in ceiling_unit
  std::optional<double> ceiling;    // in ceiling_unit
  std::optional<double> fraction;   // achieved / ceiling
  std::optional<double> intensity;  // flops per byte of the task's model
  std::string ceiling_unit;         // "GB/s" or "GFLOPS"
  // Why it came to no result, as "time_out" or "crash"; none where it came to one.
  std::optional<std::string> cause;
  bool operator==(const SizeRecord&) const = default;
};

struct DiagnosticRecord {
  std::string id;  // the rule
  std::string severity;
  bool operator==(const DiagnosticRecord&) const = default;
};

// One candidate, or one iteration of a search.
struct ResultRecord {
  enum class Role { seed, candidate, skipped };  // skipped: the generator gave no source

  std::string name;                   // the file, or RUN/ITERATION
  std::string task;                   // empty where it fits none
  std::string device;                 // empty where none was needed
  std::string generator;              // who wrote it; empty where nobody says
  std::string run;                    // the search it is part of; empty for a single file
  std::optional<unsigned> iteration;  // in that search; 0 is the seed
  Role role = Role::candidate;

  bool judged = true;  // else only lint said something, or `error` kept msci from checking
  bool compile_ok = false;
  bool correct = false;
  std::optional<bool> strict;  // the strict verdict; none where it was not asked for
  std::optional<double> score;
  std::optional<std::string> fail_reason;
  std::optional<int> regression_type;
  std::vector<SizeRecord> sizes;
  std::optional<SizeRecord> held_out;
  std::optional<GateRecord> gate;  // none but of the iteration that a search held its gate for
  std::vector<DiagnosticRecord> diagnostics;
  std::optional<double> gflops_ceiling;  // of the device; beside the sizes' for the roofline
  std::optional<double> gbps_ceiling;
  std::optional<double> threadgroup_bytes;  // the most that one of its kernels takes
  std::optional<double> source_bytes;
  std::optional<std::string> error;
  bool operator==(const ResultRecord&) const = default;

  // Right by the rule that scores, and not refused by the strict verdict.
  bool is_trusted() const { return correct && strict.value_or(true); }

  // Whether it is right at the held-out size, too: as the gate says, where one was held. None where
  // nobody tried.
  std::optional<bool> holds_out() const {
    if (gate) return gate->is_right();
    return held_out ? std::optional(held_out->correct) : std::nullopt;
  }
};

// Every record in the text of one file: one JSON object, an array of them, or one a line. `name`
// stands for the file in messages. Errors: it is no JSON, or nothing in it is a result.
Result<std::vector<ResultRecord>> records_in(std::string_view text, const std::string& name);

// The records of files and folders, in the order of the paths; a folder's in the order of its
// names. A folder with a history.json or a summary.json is a search: its results belong together,
// and its name, with as much of the path as tells it from others of the same name, is their run's.
// Files below a folder that are no results are passed over. Errors: a named path that cannot be
// read or holds no result.
Result<std::vector<ResultRecord>> read_records(const std::vector<std::string>& paths);

}  // namespace msci
