// The search: seed, prompt, generator, source, judge, promotion, and again.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "evaluator/search/generator.h"
#include "evaluator/search/judge.h"
#include "evaluator/search/store.h"
#include "evaluator/search/strategy.h"
#include "evaluator/task.h"

namespace msci::search {

// When a search ends: at whichever comes first, once the generation under way is whole.
struct Budget {
  unsigned iterations = 10;
  std::optional<double> seconds;        // of generators and judges together
  std::optional<std::uint64_t> tokens;  // that generators tell of
};

// The option that keeps a search with this history from further iterations; none where it may go
// on, or all were made.
std::optional<std::string_view> ended_by(const Budget& budget, const History& history);

struct Search {
  const Task& task;
  Generator& generator;
  Judge& judge;
  const Strategy& strategy;
  const Store& store;
  Budget budget;
  std::function<void(const Record&)> tell = nullptr;  // of each iteration, as soon as it is decided
};

// Carries out what is not yet in the store, and takes from it what is: a search that is run again
// with the same inputs ends with the same history. Errors: the seed is not right, or what
// generator, judge and store say.
Result<History> run(const Search& search);

}  // namespace msci::search
