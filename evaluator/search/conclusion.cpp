#include "evaluator/search/conclusion.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci::search {

std::optional<Error> made_nothing(const History& history) {
  const auto tries = history.size() - 1;
  const auto is_candidate = [](const Record& record) {
    return record.role == Record::Role::candidate;
  };
  const bool has_judged = std::any_of(history.begin(), history.end(), [&](const Record& record) {
    return is_candidate(record) && record.is_judged();
  });
  if (tries == 0 || has_judged) return std::nullopt;
  const bool has_source = std::any_of(history.begin(), history.end(), is_candidate);
  return Error{
      fmt::format("no candidate was {} in {} iteration{}; fix {}, and search into another --out. "
                  "What failed last: {}",
                  has_source ? "judged" : "made", tries, tries == 1 ? "" : "s",
                  has_source ? "what failed" : "the generator",
                  history.back().fail_reason.value_or("no answer"))};
}

std::string best_text(const History& history) {
  const auto& best = incumbent(history);
  if (best.iteration == 0)
    return fmt::format("best: the seed itself, score {:.4f}; {}", *best.score,
                       history.size() == 1 ? "no candidate was judged" : "no candidate was better");
  return fmt::format("best: iteration {}, score {:.4f}, {:.2f} times the seed's", best.iteration,
                     *best.score, *best.score / *history.front().score);
}

std::string gate_text(const GateResult& gate) {
  auto text = fmt::format("held out {}: {}", gate.size, to_string(gate.verdict));
  if (gate.same_program) text += "; it comes to the seed's own program";
  if (gate.speed_up) text += ", " + with_interval(*gate.speed_up, "times the seed's speed");
  return text;
}

}  // namespace msci::search
