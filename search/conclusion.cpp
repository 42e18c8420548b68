#include <fmt/format.h>

#include <algorithm>

#include "analysis/profile/claim.h"
#include "base/io/report.h"
#include "search/loop.h"

namespace msci::search {
namespace {

const char* name_of_score(const Record& record) {
  return record.predicted ? "predicted score" : "score";
}

// Why a candidate with a score did not become the best; empty where the scores alone decide.
std::string why_not_promoted(const Record& record) {
  if (record.same_program_as == 0u) return "compiles to the seed's own program";
  if (record.same_program_as)
    return fmt::format("compiles to the program of iteration {}", *record.same_program_as);
  if (record.is_new_best) return "";
  if (record.claim && record.claim->kind == ClaimKind::none) return record.claim->reason;
  if (record.pairs.empty()) return "";
  const PairedComparison times{record.pairs};
  const auto verdict = times.is_slower()
                           ? "slower"
                           : fmt::format("not shown to be {:.0f} % faster", 100 * least_gain);
  if (const auto ratio = times.overall())
    return fmt::format("{}: {}", with_interval(*ratio, "times as fast in turns with the best"),
                       verdict);
  return fmt::format("{} in {} round{} in turns with the best", verdict, times.rounds(),
                     times.rounds() == 1 ? "" : "s");
}

// ", 1.34 times the seed's speed (99 %: 1.21 to 1.40)"; empty where the two were not measured in
// turns. Predicted times need no turns.
std::string gain_text(const Record& best, const Record& seed) {
  if (const auto claim = claim_over(best, seed))
    return fmt::format(", as predicted {}", text_of(*claim, "times the seed's speed"));
  if (!best.speedup) return "";
  const auto& [over, ratio] = *best.speedup;
  return ", " + with_interval(ratio, over == 0
                                         ? std::string("times the seed's speed")
                                         : fmt::format("times the speed of iteration {}", over));
}

}  // namespace

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

std::string score_text(const Record& record) {
  if (!record.score) return report_text(record.fail_reason.value_or(""));
  const auto why = why_not_promoted(record);
  return fmt::format("{} {:.4f}{}{}", name_of_score(record), *record.score,
                     record.is_new_best ? "  *" : "", why.empty() ? "" : "  not promoted: " + why);
}

std::string totals_text(const History& history) {
  double seconds = 0;
  Usage usage;
  for (const auto& record : history) {
    seconds += record.elapsed_s;
    usage += record.usage;
  }
  const auto count = history.size() - 1;
  auto text = fmt::format("{} iteration{}: {:.1f} s in generators and judges", count,
                          count == 1 ? "" : "s", seconds);
  if (usage.tokens() > 0)
    text += fmt::format("; {} tokens read, {} written", usage.input_tokens, usage.output_tokens);
  if (usage.cost > 0) text += fmt::format("; cost {:.4g}", usage.cost);
  return text;
}

std::string best_text(const History& history) {
  const auto& best = incumbent(history);
  if (best.iteration == 0)
    return fmt::format("best: the seed itself, {} {:.4f}; {}", name_of_score(best), *best.score,
                       history.size() == 1 ? "no candidate was judged" : "no candidate was better");
  const auto& seed = history.front();
  return fmt::format("best: iteration {}, {} {:.4f} (the seed: {:.4f}){}", best.iteration,
                     name_of_score(best), *best.score, *seed.score, gain_text(best, seed));
}

std::string gate_text(const GateResult& gate) {
  auto text = fmt::format("held out {}: {}", gate.size, to_string(gate.verdict));
  if (gate.same_program) text += "; it compiles to the same program as the seed: no gain";
  if (gate.predicted)
    text += fmt::format(", as predicted for {} {}", gate.predicted->chip,
                        text_of(gate.predicted->claim(), "times the seed's speed"));
  if (gate.speed_up)
    text += fmt::format(", {}{}{}", with_interval(*gate.speed_up, "times the seed's speed"),
                        gate.predicted ? fmt::format(" as measured on {}", gate.device) : "",
                        doubt_about(*gate.speed_up));
  return text;
}

}  // namespace msci::search
