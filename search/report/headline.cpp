#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "search/report/summary.h"

namespace msci {
namespace {

constexpr std::size_t most_sentences = 3;

// "; held out 2.36 times (99 %: 2.20 to 2.51): generalises"; empty where it was not tried.
std::string held_out_clause(const RatedCandidate& candidate) {
  const auto& record = candidate.record;
  const auto is_right = record.is_right_held_out();
  if (!is_right) return {};
  std::string text = "; held out ";
  if (!*is_right)
    text += "wrong";
  else if (candidate.held_out_speed_up)
    text += with_interval(*candidate.held_out_speed_up, "times the seed's speed");
  else
    text += "right";
  if (record.gate) text += fmt::format(": {}", to_string(record.gate->verdict));
  if (*is_right && candidate.held_out_speed_up) text += doubt_about(*candidate.held_out_speed_up);
  return text;
}

// "score 0.1234", or a predicted one; "; the seed's is 0.0472" where it has one.
std::string score_clause(const RatedCandidate& candidate) {
  const auto& record = candidate.record;
  auto text = record.score()
                  ? fmt::format("score {:.4f}", *record.score())
                  : fmt::format("predicted score {:.4f}", record.predicted_score().value_or(0));
  if (!record.score()) return text;
  return text + (candidate.seed_score ? fmt::format(" (the seed: {:.4f})", *candidate.seed_score)
                                      : "; no seed to compare with");
}

std::string conclusion(const TaskSummary& task, const Summary& summary) {
  if (task.candidates == 0) return {};
  if (!task.best)
    return fmt::format("{}: no {} among {}.", task.task,
                       task.trusted > 0 ? "candidate was better than the seed" : "right candidate",
                       plural(task.candidates, "candidate"));
  const auto& best = summary.candidates[*task.best];
  const auto& name = best.record.name;
  if (!best.speed_up)
    return fmt::format("{}: the best candidate is {}, {}{}.", task.task, name, score_clause(best),
                       held_out_clause(best));
  return fmt::format("{}: the best candidate, {}, has {}{}{}.", task.task, name,
                     with_interval(*best.speed_up, "times the seed's speed"),
                     doubt_about(*best.speed_up), held_out_clause(best));
}

std::string conclusion_of_all(const Summary& summary) {
  std::size_t measured = 0, faster = 0;
  for (const auto& task : summary.tasks) {
    if (!task.best) continue;
    const auto& best = summary.candidates[*task.best];
    measured += best.speed_up || best.held_out_speed_up;
    faster += best.is_shown_to_be_faster();
  }
  if (measured == 0) return {};
  return fmt::format(
      "The best candidates of {} of {} were measured in turns with their seeds; {} shown to be "
      "faster.",
      measured, plural(summary.tasks.size(), "task"),
      faster == 1 ? "1 is" : fmt::format("{} are", faster));
}

}  // namespace

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::vector<std::string> conclusions(const Summary& summary) {
  std::vector<std::string> sentences;
  if (summary.tasks.size() > most_sentences)
    sentences.push_back(conclusion_of_all(summary));
  else
    for (const auto& task : summary.tasks) sentences.push_back(conclusion(task, summary));
  std::erase(sentences, "");
  return sentences;
}

std::string headline(const Summary& summary) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, std::string_view noun) {
    if (count > 0) parts.push_back(plural(count, noun));
  };
  add(summary.candidates.size(), "candidate");
  add(summary.seeds.size(), "seed");
  add(summary.profiles.size(), "profile");
  if (parts.empty() && !summary.diagnostics.empty()) parts.emplace_back("findings of lint");
  auto text = fmt::format("{}", fmt::join(parts, parts.size() == 2 ? " and " : ", "));
  if (!summary.devices.empty() && !text.empty())
    text += fmt::format(" on {}", fmt::join(summary.devices, ", "));
  if (const auto strays = summary.candidates.size() - summary.total.at_1.samples; strays > 0)
    text += fmt::format("; {} {} no task and enter{} no rate", plural(strays, "candidate"),
                        strays == 1 ? "fits" : "fit", strays == 1 ? "s" : "");
  if (!summary.unchecked.empty())
    text += fmt::format("{}{} could not be checked", text.empty() ? "" : "; ",
                        plural(summary.unchecked.size(), "file"));
  return text.empty() ? "No results." : text + ".";
}

}  // namespace msci
