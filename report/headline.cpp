#include "report/headline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/statistics.h"

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
    text += with_interval(*candidate.held_out_speed_up, "times");
  else
    text += "right";
  if (record.gate) text += fmt::format(": {}", to_string(record.gate->verdict));
  return text;
}

std::string conclusion(const TaskSummary& task, const Summary& summary) {
  if (task.candidates == 0) return {};
  if (!task.best)
    return fmt::format("{}: no right candidate among {}.", task.task,
                       plural(task.candidates, "candidate"));
  const auto& best = summary.candidates[*task.best];
  const auto& name = best.record.name;
  if (!best.speed_up)
    return fmt::format(
        "{}: the best candidate, {}, has the score {:.4f}; no seed to compare with{}.", task.task,
        name, best.record.score().value_or(0), held_out_clause(best));
  if (*best.speed_up <= 1)
    return fmt::format(
        "{}: no candidate is faster than the seed; the best, {}, has {:.2f} times its "
        "speed{}.",
        task.task, name, *best.speed_up, held_out_clause(best));
  return fmt::format("{}: {:.2f} times the seed's speed ({}){}.", task.task, *best.speed_up, name,
                     held_out_clause(best));
}

std::string conclusion_of_all(const Summary& summary) {
  std::vector<double> speed_ups;
  std::size_t faster = 0;
  for (const auto& task : summary.tasks) {
    const auto speed_up = task.best ? summary.candidates[*task.best].speed_up : std::nullopt;
    if (!speed_up) continue;
    speed_ups.push_back(*speed_up);
    faster += *speed_up > 1;
  }
  if (speed_ups.empty()) return {};
  return fmt::format(
      "{} of {} have a candidate that is faster than the seed; the best candidates have {:.2f} "
      "times the seeds' speed (geometric mean).",
      faster, plural(summary.tasks.size(), "task"), geometric_mean(speed_ups));
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
