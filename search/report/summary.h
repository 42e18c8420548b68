// The summary of many results: rates, scores, the best of each task, and what stands out.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evaluator/profile/profile_result.h"
#include "evaluator/result/evaluation_result.h"
#include "evaluator/result/gate_result.h"
#include "evaluator/score/performance.h"

namespace msci {

class Fields;

// The profile of a kernel, as msci-eval --profile --json writes it, as far as a report shows it.
struct ProfilePage {
  struct Launch {
    std::string kernel;
    double launches = 1;  // equal ones that it stands for
    double seconds = 0;   // of one, as predicted
    std::string advice;
    std::vector<LineProfile> lines;
    bool operator==(const Launch&) const = default;
  };
  struct Size {
    std::string label;
    double seconds = 0;  // of a pass, as predicted
    std::vector<Launch> launches;
    bool operator==(const Size&) const = default;
  };
  std::string file;
  std::string source;  // the text
  std::string task;
  std::string chip;
  std::vector<Size> sizes;
  bool operator==(const ProfilePage&) const = default;
};

void describe(Fields& field, ProfilePage::Launch& launch);
void describe(Fields& field, ProfilePage::Size& size);
void describe(Fields& field, ProfilePage& page);

// Reads results from files: the output of msci-eval, also with --profile, and of msci-lint with
// --json, and the folders of searches. docs/reference/json.md describes the fields.

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

// A score, or a rate, that is this many times the seed's counts as higher: what the published table
// of the benchmark calls meaningful.
constexpr double meaningful_speed_up = 1.05;

// One evaluated candidate beside its task's seed: that of the same search, else of the same device.
struct RatedCandidate {
  ResultRecord record;
  Stage passed = Stage::none;
  std::optional<double> seed_score;
  // Over the seed, measured in turns with it; exactly 1 for the seed's own program.
  std::optional<Ratio> speed_up;
  std::optional<Ratio> held_out_speed_up;  // the gate's
  // Whether its rate at the held-out size is lower than the seed's by that factor. The two were not
  // measured in turns, so there is no ratio with an interval.
  bool has_low_held_out_rate = false;
  bool operator==(const RatedCandidate&) const = default;

  // Faster than its seed where it was tuned, or with a higher score where no turns tell, and wrong
  // or slower where it was not: what a search that looks at its own score alone never sees.
  bool is_silent_regression() const;
  // Whether an interval says so, at the tuned sizes or the held-out one.
  bool is_shown_to_be_faster() const;
};

// The rates and scores of all candidates that have something in common. What fits no task is in no
// group: rates are means over tasks.
struct GroupSummary {
  std::string name;
  CascadeRates at_1;
  std::optional<CascadeRates> at_k;  // none unless asked for
  PerformanceTotal performance;      // empty where no seed was evaluated
  // How many candidates have each verdict of a gate, which tries the best of a search alone.
  std::map<GateVerdict, std::size_t> gates;
  bool operator==(const GroupSummary&) const = default;
};

// "generalises"; of several gates "generalises: 2, silent-regression: 1"; empty without one.
std::string gates_text(const GroupSummary& group);

struct TaskSummary {
  std::string task;
  std::string regime;  // "bandwidth" or "compute"; empty where nothing was timed
  std::size_t candidates = 0;
  std::size_t unseeded = 0;  // candidates that no seed with a score stands beside
  std::size_t trusted = 0;   // candidates that are right, and not refused by the strict verdict
  // The place of the best one: the trusted one with the highest score, of those that belong to no
  // search and of the best of each search, which the search itself names (is_new_best). None where
  // searches found nothing better than the seed.
  std::optional<std::size_t> best;
  // That of the best's seed; without a best, of the first seed with a score.
  std::optional<double> seed_score;
  bool operator==(const TaskSummary&) const = default;
};

// How a search went.
struct Convergence {
  struct Step {
    unsigned iteration = 0;
    std::optional<double> score;  // none: it failed, or was skipped
    std::optional<double> best;   // that of the best so far, which the search itself names
    bool operator==(const Step&) const = default;
  };
  std::string task;
  std::string run;
  std::string generator;
  std::vector<Step> steps;         // by iteration
  std::optional<GateResult> gate;  // of its best; none where none was held
  bool operator==(const Convergence&) const = default;
};

struct DiagnosticCount {
  std::string id;
  std::string severity;
  std::size_t findings = 0;
  std::size_t files = 0;
  bool operator==(const DiagnosticCount&) const = default;
};

struct Summary {
  std::string origin = {};           // when and how the report was made; may be empty
  std::vector<std::string> devices;  // by name
  std::vector<ResultRecord> seeds;   // by task, device, run and name
  // By task; the highest score first, what has no score last, by name.
  std::vector<RatedCandidate> candidates;
  std::vector<TaskSummary> tasks;  // by name
  std::optional<unsigned> k;       // of pass@k
  GroupSummary total;
  std::vector<GroupSummary> by_task, by_regime, by_generator;  // by name
  std::vector<Convergence> searches;
  std::vector<DiagnosticCount> diagnostics;  // those in the most files first
  std::vector<ResultRecord> unchecked;       // what msci could not check
  std::vector<ProfilePage> profiles;         // in the order of the records
  bool operator==(const Summary&) const = default;
};

// The same for the same records in any order.
Summary summarise(std::vector<ResultRecord> records, std::optional<unsigned> k = std::nullopt);

// The seed that a candidate is compared with; null if none fits. Measurements of different devices
// say nothing about each other, and those of one search say the most.
const ResultRecord* seed_of(const ResultRecord& candidate, const std::vector<ResultRecord>& seeds);

// The last stage that an evaluated candidate passed.
Stage stage_of(const ResultRecord& record);

// The tables of a report, as text in cells: what Markdown and HTML both print.
struct Table {
  struct Row {
    std::vector<std::string> cells;
    bool warn = false;  // something a reader should not overlook
    // The place in the summary of the candidate that the row is about.
    std::optional<std::size_t> candidate = std::nullopt;
  };
  std::string title;
  std::string note;  // a sentence under the title; may be empty
  std::vector<std::string> columns;
  std::size_t text_columns = 1;  // the first ones hold words, the others numbers
  std::size_t name_column = 0;   // that names the candidate of a row
  std::optional<std::size_t> code_column = std::nullopt;  // that holds lines of a source
  std::vector<Row> rows;
  bool is_long = false;  // a page may fold it
};

// The cell of a missing value.
inline constexpr const char* no_value = "–";

// A time in a cell, without its unit.
std::string milliseconds_text(double seconds);

// The title of the table with a row for each candidate, whose first cell is its name.
inline constexpr std::string_view candidates_title = "Candidates";

// The seeds, then the candidates.
std::vector<const ResultRecord*> judged(const Summary& summary);

// The sizes of one candidate, with the held-out one and those of the strict verdict.
Table size_table(const ResultRecord& record);

// What is known of a candidate: pairs of a name and a value, in the order of reading.
std::vector<std::pair<std::string, std::string>> facts_of(const RatedCandidate& candidate);

// Those with rows, in the order of reading.
std::vector<Table> tables_of(const Summary& summary);

// Predicted times in a report, beside the device's own.

// The kernels of a task with a prediction for one chip that were timed on one device, too.
struct PredictionCheck {
  std::string task;
  std::string chip;
  std::string device;
  std::size_t kernels = 0;
  // Spearman's, of predicted and measured times, each the geometric mean over the sizes; none for
  // fewer than three kernels, and where all times of one kind are equal.
  std::optional<double> rank_correlation;
  double ratio = 1;  // the median of predicted over measured times
  bool operator==(const PredictionCheck&) const = default;
};

// Compares predicted with measured times, separately for each task, chip and device.
std::vector<PredictionCheck> check_predictions(const std::vector<const ResultRecord*>& records);

// Each size with a prediction of each record.
Table prediction_table(const std::vector<const ResultRecord*>& records);
Table check_table(const std::vector<PredictionCheck>& checks);

// The profile of a kernel by line.

// What the lines of the largest size do, for a reader.
class ProfileLines {
 public:
  // The page has at least one size.
  explicit ProfileLines(const ProfilePage& page);

  // "cycles", "active lanes", ...
  static std::vector<std::string> columns();

  // One cell for each column; empty ones where the line does nothing.
  std::vector<std::string> cells(unsigned line) const;

  // The line's share of the cycles, from 0 to 1.
  double share(unsigned line) const;

  // "2 ms a pass at SIZE on CHIP, as predicted. ..." with the meaning of the columns.
  std::string note() const;

 private:
  const ProfilePage& page_;
  std::map<unsigned, LineProfile> lines_;
  double cycles_ = 0;  // of all lines
};

// The number of lines of a text; a last one without an end counts, too.
unsigned lines_in(std::string_view text);

// The source of a profiled kernel, line by line, with what the lines of the largest size do.
Table profile_table(const ProfilePage& page);

// A summary for people and for programs: Markdown, JSON, and HTML pages that need nothing else.
std::string to_markdown(const Summary& summary);

// One object; docs/schemas/report.schema.json tells its fields.
std::string to_json(const Summary& summary);

// The page loads nothing, and suits light and dark, wide and narrow screens, and paper. One script
// of its own sorts and filters the tables; the page's policy allows no other.
std::string to_html(const Summary& summary, const std::string& title);

// The same page with a page of its own for each candidate: its sizes, its place below the roofline,
// and its source with findings and profile. They link to each other.
struct ReportPage {
  std::string file;  // "index.html", "candidate-1.html"
  std::string text;
};
std::vector<ReportPage> pages_of(const Summary& summary, const std::string& title);

// The first sentences of a report: what came of it, and where it is from.

// "1 task", "2 tasks".
std::string plural(std::size_t count, std::string_view noun);

// A sentence for each task: "nbody: the best candidate, demo/04, has 1.96 times the seed's speed
// (99 %: 1.81 to 2.02); held out 2.36 times the seed's speed (99 %: 2.20 to 2.51): generalises." Of
// more than three tasks, one for all of them.
std::vector<std::string> conclusions(const Summary& summary);

// "12 candidates and 3 seeds on pthread-…; 1 candidate fits no task and enters no rate; 1 file
// could not be checked."
std::string headline(const Summary& summary);

}  // namespace msci
