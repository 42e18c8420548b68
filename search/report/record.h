// Reads results from files: the output of msci-eval, also with --profile, and of msci-lint with
// --json, and the folders of searches. docs/json.md describes the fields.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evaluator/result/evaluation_result.h"
#include "evaluator/result/gate_result.h"
#include "search/report/profile_page.h"

namespace msci {

// One candidate, or one iteration of a search: its result and its origin.
struct ResultRecord : EvaluationResult {
  std::string name = {};                   // the file, or RUN/ITERATION
  std::string source_file = {};            // where its source was; empty if unknown
  std::string generator = {};              // of the source; empty if unknown
  std::string run = {};                    // the search that it is part of; empty for a single file
  std::optional<unsigned> iteration = {};  // in that search; 0 is the seed
  bool is_judged = true;                   // false where the source was only linted or profiled
  bool is_new_best = false;                // in its search: it became the best one there
  // Over the seed, as the history of its search has it.
  std::optional<Ratio> speed_up = {};
  std::optional<GateResult> gate = {};      // only of a search's best iteration
  std::optional<ProfilePage> profile = {};  // only of msci-eval --profile
  bool operator==(const ResultRecord&) const = default;

  // Right by the rule that scores, and not refused by the strict verdict.
  bool is_trusted() const { return correct() && (!strict || strict->passed); }

  // Whether it is right at the held-out size, too: by the gate, where one was run. None where
  // neither was tried.
  std::optional<bool> is_right_held_out() const {
    if (gate) return gate->is_right();
    return held_out() ? std::optional(held_out()->correct()) : std::nullopt;
  }
};

// The source of a record, if its file still holds as many bytes as were judged; of a search without
// that number, whatever the file holds. Only files that end in .metal are read: a result may come
// from anyone, and its source ends up on a page.
std::optional<std::string> source_of(const ResultRecord& record);

// Every record in the text of one file: one JSON object, an array of them, or one a line. `name`
// stands for the file in messages. Errors: the text is not JSON, or holds no result.
Result<std::vector<ResultRecord>> records_in(std::string_view text, const std::string& name);

// The records of files and folders, in the order of the paths; within a folder in the order of the
// names. A folder with a history.json or a summary.json is a search. Its name is the run of its
// results; if several folders have this name, more of the path precedes it. Other files below a
// folder are ignored. Errors: a path in `paths` that cannot be read or holds no result.
Result<std::vector<ResultRecord>> read_records(const std::vector<std::string>& paths);

}  // namespace msci
