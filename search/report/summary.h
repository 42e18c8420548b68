// The summary of many results: rates, scores, the best of each task, and what stands out.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluator/score/cascade.h"
#include "evaluator/score/performance.h"
#include "search/report/record.h"

namespace msci {

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
  // Whether its rate at the held-out size is lower than the seed's by that much. The two were not
  // measured in turns, so that this is no ratio.
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

}  // namespace msci
