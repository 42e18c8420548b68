// What a search remembers of each iteration, and decides by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/search/judgement.h"

namespace msci::search {

// What an answer took, where the generator tells; 0 where it does not.
struct Usage {
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  double cost = 0;  // in the currency of the generator's prices
  std::uint64_t tokens() const { return input_tokens + output_tokens; }
  Usage& operator+=(const Usage& other);
  bool operator==(const Usage&) const = default;
};

struct Record {
  // skipped: the generator failed, or its answer held no source that could be used; nothing was
  // judged.
  enum class Role { seed, candidate, skipped };
  unsigned iteration = 0;  // 0 is the seed
  Role role = Role::candidate;
  unsigned parent = 0;      // the iteration that it was to improve on
  unsigned generation = 0;  // iterations of one generation know nothing of each other
  bool checked = true;      // as its judgement says
  bool compile_ok = false;
  bool correct = false;
  std::optional<double> score;
  std::optional<std::string> fail_reason;
  std::string no_source;  // why its answer holds none; empty where there is one, or no answer
  std::vector<PairedTimes> pairs;  // against the incumbent of that moment, where it was asked for
  std::string regime;              // which means of optimisation its source uses: "tiles+vectors"
  std::string source_path;         // within the search's folder; empty where skipped
  double elapsed_s = 0;            // generation and judging
  Usage usage;
  bool is_new_best = false;  // it became the incumbent

  // Whether anything is known of a source of its.
  bool is_judged() const { return role != Role::skipped && checked; }
};

// By iteration, without gaps; the first is the seed.
using History = std::vector<Record>;

std::string_view to_string(Record::Role role);

// The last that became the incumbent.
const Record& incumbent(const History& history);

// The means of optimisation that a source uses, in a fixed order, joined by "+": "tiles"
// (threadgroup memory), "simdgroups", "vectors" (loads wider than a word); "plain" without any.
// Comments do not count.
std::string regime_of(const std::string& source);

// history.json: an array with the fields of a benchmark's record, and parent, generation, regime,
// usage.
std::string to_json(const History& history);

// summary.json: task, model (the generator), chip (the device), n_iterations, seed_score,
// best_score, best_iteration, improvement, usage and the history.
struct Summary {
  std::string task;
  std::string generator;
  std::string device;
  std::string strategy;
  std::uint64_t seed = 0;
};
std::string to_json(const Summary& summary, const History& history);

}  // namespace msci::search
