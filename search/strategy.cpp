#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "analysis/profile/predict.h"
#include "evaluator/measure/paired_comparison.h"
#include "search/loop.h"

namespace msci::search {
namespace {

// The last iteration that was judged; the seed was.
unsigned last_judged(const History& history) {
  return std::find_if(history.rbegin(), history.rend(), std::mem_fn(&Record::is_judged))->iteration;
}

// Whether its score counts: a program that was there before has one already.
bool counts(const Record& record) { return record.score && !record.same_program_as; }

// Higher scores first, older ones first among equals; those that do not count are left out.
std::vector<const Record*> ranked(const History& history) {
  std::vector<const Record*> records;
  for (const auto& record : history)
    if (counts(record)) records.push_back(&record);
  std::stable_sort(records.begin(), records.end(), [](const Record* one, const Record* other) {
    return *one->score > *other->score;
  });
  return records;
}

// (1+1), as in the benchmark: one candidate at a time, told of the attempt before it.
class Strict : public Strategy {
 public:
  std::vector<CandidateRequest> next(const History& history) const override {
    return {{.parent = incumbent(history).iteration, .previous = last_judged(history)}};
  }
};

// (1+1) where noise promotes nothing: the candidate's passes were measured in turns with the
// incumbent's, and it must be faster beyond doubt.
class Paired : public Strict {
 public:
  bool promotes(const History&, const Record& candidate) const override {
    return candidate.score && PairedComparison{candidate.pairs}.is_faster();
  }
  bool wants_pairs() const override { return true; }
};

// (1,lambda): a generation's best is the next one's parent, even where it is worse than its own.
class Comma : public Strategy {
 public:
  explicit Comma(unsigned lambda) : lambda_(lambda) {}
  std::vector<CandidateRequest> next(const History& history) const override {
    const auto parent = parent_after(history);
    return std::vector<CandidateRequest>(lambda_, {parent, parent});
  }

 private:
  // A generation without a score leaves the parent in place.
  static unsigned parent_after(const History& history) {
    const auto generation = history.back().generation;
    History last;
    for (const auto& record : history)
      if (record.generation == generation) last.push_back(record);
    const auto best = ranked(last);
    return best.empty() ? history.back().parent : best.front()->iteration;
  }
  unsigned lambda_;
};

// (mu+lambda): the best mu so far are parents in turn.
class Plus : public Strategy {
 public:
  Plus(unsigned mu, unsigned lambda) : mu_(mu), lambda_(lambda) {}
  std::vector<CandidateRequest> next(const History& history) const override {
    auto survivors = ranked(history);
    survivors.resize(std::min<std::size_t>(survivors.size(), mu_));
    std::vector<CandidateRequest> requests;
    for (unsigned i = 0; i < lambda_; ++i) {
      const auto parent = survivors[i % survivors.size()]->iteration;
      requests.push_back({parent, parent});
    }
    return requests;
  }

 private:
  unsigned mu_;
  unsigned lambda_;
};

// A (1+1) search on each of several islands; iteration i is at home on island (i - 1) % islands.
class Islands : public Strategy {
 public:
  Islands(unsigned islands, unsigned migrate_every)
      : islands_(islands), migrate_every_(migrate_every) {}

  std::vector<CandidateRequest> next(const History& history) const override {
    std::vector<Home> homes(islands_, Home{&history.front(), 0});
    for (std::size_t i = 1; i < history.size(); ++i) {
      settle(homes[(i - 1) % islands_], history[i]);
      const bool generation_ends = i % islands_ == 0;
      if (generation_ends && (i / islands_) % migrate_every_ == 0) migrate(homes);
    }
    // A budget may have ended the last generation before it reached all islands.
    std::vector<CandidateRequest> requests;
    for (auto island = (history.size() - 1) % islands_; island < islands_; ++island)
      requests.push_back({homes[island].best->iteration, homes[island].previous});
    return requests;
  }

 private:
  struct Home {
    const Record* best;
    unsigned previous;  // the last that was judged here
  };

  static void settle(Home& home, const Record& record) {
    if (record.is_judged()) home.previous = record.iteration;
    if (counts(record) && *record.score > *home.best->score) home.best = &record;
  }

  static void migrate(std::vector<Home>& homes) {
    const auto [worst, best] = std::minmax_element(
        homes.begin(), homes.end(),
        [](const Home& one, const Home& other) { return *one.best->score < *other.best->score; });
    *worst = {best->best, best->best->iteration};
  }

  unsigned islands_;
  unsigned migrate_every_;
};

// MAP-elites: the best of each regime stays, which tells the optimisations of a kernel and how it
// uses a GPU, and parents are drawn from these.
class Archive : public Strategy {
 public:
  Archive(unsigned lambda, std::uint64_t seed) : lambda_(lambda), seed_(seed) {}

  std::vector<CandidateRequest> next(const History& history) const override {
    const auto elites = elites_of(history);
    std::vector<CandidateRequest> requests;
    for (unsigned i = 0; i < lambda_; ++i) {
      const auto parent = elites[draw(seed_, history.size() + i) % elites.size()];
      requests.push_back({parent, parent});
    }
    return requests;
  }

 private:
  static std::vector<unsigned> elites_of(const History& history) {
    std::map<std::string, unsigned> by_regime;
    for (const auto* record : ranked(history)) by_regime.emplace(record->regime, record->iteration);
    std::vector<unsigned> elites;
    for (const auto& [regime, iteration] : by_regime) elites.push_back(iteration);
    return elites;
  }

  unsigned lambda_;
  std::uint64_t seed_;
};

}  // namespace

bool Strategy::promotes(const History& before, const Record& candidate) const {
  const auto& best = incumbent(before);
  if (!candidate.score) return false;
  if (!candidate.predicted) return *candidate.score > *best.score;
  const auto claim = claim_over(candidate, best);
  return claim && claim->kind == ClaimKind::faster;
}

std::optional<Claim> claim_over(const Record& candidate, const Record& best) {
  if (!candidate.score || !candidate.predicted || !best.predicted) return std::nullopt;
  return claim_of(*candidate.predicted, *best.predicted);
}

std::string why_unlike(const Record& record) {
  for (const auto& pass : record.predicted.value_or(std::vector<PredictedPass>()))
    if (!pass.unlike.empty()) return pass.unlike;
  return "";
}

std::vector<std::string> strategy_names() {
  return {"strict", "paired", "comma", "plus", "islands", "archive"};
}

Result<std::unique_ptr<Strategy>> make_strategy(const StrategyOptions& options) {
  using Made = std::unique_ptr<Strategy>;
  if (options.lambda == 0 || options.mu == 0 || options.islands == 0 || options.migrate_every == 0)
    return Error{"a strategy's numbers count from 1"};
  if (options.name == "strict") return Made(std::make_unique<Strict>());
  if (options.name == "paired") return Made(std::make_unique<Paired>());
  if (options.name == "comma") return Made(std::make_unique<Comma>(options.lambda));
  if (options.name == "plus") return Made(std::make_unique<Plus>(options.mu, options.lambda));
  if (options.name == "islands")
    return Made(std::make_unique<Islands>(options.islands, options.migrate_every));
  if (options.name == "archive")
    return Made(std::make_unique<Archive>(options.lambda, options.seed));
  return Error{fmt::format("unknown strategy {}; use one of {}", options.name,
                           fmt::join(strategy_names(), ", "))};
}

std::uint64_t draw(std::uint64_t seed, std::uint64_t position) {
  // splitmix64 (Steele, Lea and Flood, 2014), twice, so that neighbours have nothing in common.
  std::uint64_t state = seed + 0x9e3779b97f4a7c15u * (position + 1);
  for (int round = 0; round < 2; ++round) {
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    state ^= state >> 31;
  }
  return state;
}

}  // namespace msci::search
