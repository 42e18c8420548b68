// The history of a search: one record for each iteration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/measure/paired_comparison.h"

namespace msci::search {

// The usage of an answer as the generator reports it; 0 if it does not.
struct Usage {
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  double cost = 0;  // in the currency of the generator's prices
  std::uint64_t tokens() const { return input_tokens + output_tokens; }
  Usage& operator+=(const Usage& other);
  bool operator==(const Usage&) const = default;
};

// How many times as fast an iteration is as an earlier one.
struct Speedup {
  unsigned over = 0;  // that iteration
  Ratio ratio;        // measured in turns with it, or that of one program
  bool operator==(const Speedup&) const = default;
};

struct Record {
  // skipped: the generator failed, or its answer held no usable source; nothing was judged.
  enum class Role { seed, candidate, skipped };
  unsigned iteration = 0;  // 0 is the seed
  Role role = Role::candidate;
  unsigned parent = 0;      // the iteration that it improves on
  unsigned generation = 0;  // iterations of one generation are independent
  bool checked = true;      // as in its judgement
  bool compile_ok = false;
  bool correct = false;
  std::optional<double> score;  // measured, or predicted, as the search says
  // Whether a predicted score is outside of what the model was calibrated on; none of a measured
  // one.
  std::optional<bool> extrapolated = {};
  std::optional<std::string> fail_reason;
  std::string no_source;           // why its answer holds no source; may be empty
  std::vector<PairedTimes> pairs;  // against the incumbent of that time; may be empty
  std::string regime;              // the optimisations that its source uses: "tiles+vectors"
  std::string source_path;         // relative to the search's folder; empty if skipped
  double elapsed_s = 0;            // generation and judging
  Usage usage;
  bool is_new_best = false;  // it became the incumbent
  std::string program = {};  // digest of what it translates to; empty where that is unknown
  // The first iteration with a score that has the same program; then the two are equally fast,
  // whatever their times say.
  std::optional<unsigned> same_program_as = {};
  std::optional<Speedup> speedup = {};  // none without enough rounds in turns

  // Whether its source was judged.
  bool is_judged() const { return role != Role::skipped && checked; }
};

// By iteration, without gaps; the first is the seed.
using History = std::vector<Record>;

std::string_view to_string(Record::Role role);

// The last that became the incumbent.
const Record& incumbent(const History& history);

// The first with a score that has the candidate's program.
std::optional<unsigned> find_same_program(const History& before, const Record& candidate);

// The optimisations that a source uses, in a fixed order, joined by "+": "tiles"
// (threadgroup memory), "simdgroups", "vectors" (loads wider than a word); "plain" without any.
// Comments do not count.
std::string regime_of(const std::string& source);

// history.json: an array with the fields of the benchmark's records, and parent, generation,
// regime, usage and speedup.
std::string to_json(const History& history);

// summary.json: task, model (the generator's label or command), generator, chip (the device),
// scoring, n_iterations, seed_score, best_score, best_iteration, usage and the history.
struct HistorySummary {
  std::string task;
  std::string generator;  // its command, without secrets
  std::string label;      // may be empty
  std::string device;
  std::string scoring;  // "measured", or "predicted:m1-pro"
  std::string strategy;
  std::uint64_t seed = 0;
};
std::string to_json(const HistorySummary& summary, const History& history);

}  // namespace msci::search
