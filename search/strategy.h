// Search strategies: which kernels the next candidates improve on, and which candidate becomes the
// incumbent. A strategy has no state: it decides from the history alone, so that a killed search
// continues as if it had never stopped.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/history.h"

namespace msci::search {

// The basis of one candidate.
struct CandidateRequest {
  unsigned parent = 0;    // the iteration to improve on
  unsigned previous = 0;  // the attempt that its prompt shows first; often the parent
  bool operator==(const CandidateRequest&) const = default;
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // The next generation; its members are judged together.
  virtual std::vector<CandidateRequest> next(const History& history) const = 0;
  // Whether a candidate with a score becomes the incumbent. `before` are the iterations before it.
  // By default: a measured score that is higher, or a predicted one whose ratio to the incumbent's
  // has its whole interval above 1, unless one of the two predictions is extrapolated.
  virtual bool promotes(const History& before, const Record& candidate) const;
  // Whether candidates are measured in alternation with the incumbent.
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
