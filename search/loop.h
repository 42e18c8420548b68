// The search: seed, prompt, generator, source, judge, promotion, and again.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "search/generator.h"
#include "search/judge.h"
#include "search/store.h"
#include "search/strategy.h"
#include "tasks/plan/task.h"

namespace msci::search {

// The limits of a search. It ends at the first one, after the current generation.
struct Budget {
  unsigned iterations = 10;
  std::optional<double> seconds;        // of generators and judges together
  std::optional<std::uint64_t> tokens;  // as generators report them
};

// The option whose limit is reached; nothing if the search can continue, or made all iterations.
std::optional<std::string_view> ended_by(const Budget& budget, const History& history);

struct Search {
  const Task& task;
  Generator& generator;
  Judge& judge;
  const Strategy& strategy;
  const Store& store;
  Budget budget;
  bool is_strict = false;                                  // the strict verdict decides, too
  bool is_predicted = false;                               // the judge predicts scores
  std::function<void(const Record&)> on_record = nullptr;  // called after each iteration
  // Told what the search waits for: "judging, iteration 3 of 10"; then an empty text.
  std::function<void(std::string_view)> on_activity = nullptr;
};

// Runs the search. What is in the store is not run again, so repeating a search with the same
// inputs gives the same history. Errors: the store holds more iterations than the budget has, which
// would leave an earlier kernel as the best one; the seed is wrong, or its prediction is
// extrapolated, so that nothing could be promoted; those of generator, judge and store.
Result<History> run(const Search& search);

}  // namespace msci::search
