// How a search goes on: what the next candidates are to improve on, and which of them becomes the
// incumbent. A strategy keeps nothing: it answers from the history alone, so that a search which
// was killed goes on as if it had not been.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "evaluator/search/history.h"

namespace msci::search {

// What one candidate is asked for by.
struct Request {
  unsigned parent = 0;    // the iteration that it is to improve on
  unsigned previous = 0;  // the attempt that its generator is told about first; often the parent
  bool operator==(const Request&) const = default;
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // The next generation, whose members are judged at once.
  virtual std::vector<Request> next(const History& history) const = 0;
  // Whether a candidate with a score takes the incumbent's place. `before` are the iterations
  // before it.
  virtual bool promotes(const History& before, const Record& candidate) const;
  // Whether candidates are to be measured in turns with the incumbent.
  virtual bool wants_pairs() const { return false; }
};

struct StrategyOptions {
  std::string name = "strict";  // one of strategy_names()
  unsigned lambda = 4;          // candidates a generation: comma, plus, archive
  unsigned mu = 2;              // survivors: plus
  unsigned islands = 4;
  unsigned migrate_every =
      5;  // generations, between which the worst island takes the best's kernel
  std::uint64_t seed = 0;
};

// strict, paired, comma, plus, islands, archive.
std::vector<std::string> strategy_names();

// Errors: no such name, or a number that makes no sense.
Result<std::unique_ptr<Strategy>> make_strategy(const StrategyOptions& options);

// A number that only `seed` and `position` decide.
std::uint64_t draw(std::uint64_t seed, std::uint64_t position);

}  // namespace msci::search
