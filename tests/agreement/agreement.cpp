#include "tests/agreement/agreement.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "engine/device/device.h"
#include "evaluator/result/evaluation_result.h"
#include "evaluator/result/result_text.h"

namespace msci {
namespace {

constexpr std::array fates = {Fate::refused_by_compiler,
                              Fate::refused_at_pipeline,
                              Fate::wrong,
                              Fate::right,
                              Fate::accepted,
                              Fate::unchecked};

bool is_refused(Fate fate) {
  return fate == Fate::refused_by_compiler || fate == Fate::refused_at_pipeline;
}

bool is_judged(Fate fate) { return fate == Fate::wrong || fate == Fate::right; }

void count(Tally::Share& share, bool same) {
  ++share.of;
  if (same) ++share.same;
}

std::string share_text(std::string_view what, const Tally::Share& share) {
  if (share.of == 0) return {};
  return fmt::format("  {:<26} {:>4} of {:>4}  {:5.1f} %\n", what, share.same, share.of,
                     share.percent());
}

std::string matrix_text(const Tally& tally) {
  const auto is_used = [&](bool recorded, Fate fate) {
    return std::any_of(tally.matrix.begin(), tally.matrix.end(), [&](const auto& cell) {
      return (recorded ? cell.first.first : cell.first.second) == fate;
    });
  };
  std::string text = fmt::format("  {:<22}", "recorded \\ ours");
  for (const auto ours : fates)
    if (is_used(false, ours)) text += fmt::format(" {:>20}", to_string(ours));
  text += "\n";
  for (const auto recorded : fates) {
    if (!is_used(true, recorded)) continue;
    text += fmt::format("  {:<22}", to_string(recorded));
    for (const auto ours : fates) {
      if (!is_used(false, ours)) continue;
      const auto cell = tally.matrix.find({recorded, ours});
      text += fmt::format(" {:>20}", cell == tally.matrix.end() ? 0 : cell->second);
    }
    text += "\n";
  }
  return text;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string described(Fate fate, const std::optional<unsigned>& line, const std::string& reason) {
  auto text = to_string(fate);
  if (line) text += fmt::format(", line {}", *line);
  if (!reason.empty()) text += ": " + one_line(reason);
  return text;
}

template <typename T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

RecordedAnswer answer_of(const Result<Compiled>& prepared) {
  if (!prepared)
    return {.fate = Fate::accepted, .reason = "not translated: " + prepared.error().message};
  if (prepared->translation) {
    for (const auto& kernel : prepared->translation->kernels)
      if (const auto refused = refuse_pipeline(kernel))
        return {.fate = Fate::refused_at_pipeline, .reason = refused->message};
    return {.fate = Fate::accepted};
  }
  const auto& said = prepared->diagnostics;
  const auto first = std::find_if(said.begin(), said.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::error;
  });
  RecordedAnswer answer{.fate = Fate::refused_by_compiler, .reason = prepared->rejection};
  if (first != said.end()) answer.error_line = first->place.range.begin.line;
  return answer;
}

RecordedAnswer answer_of(const Result<Evaluation>& evaluation) {
  if (!evaluation) return {.reason = evaluation.error().message};
  const auto& outcome = evaluation->outcome;
  RecordedAnswer answer{.reason = fail_reason(outcome).value_or(""), .times = evaluation->times};
  if (const auto* rejected = std::get_if<Rejected>(&outcome))
    answer.fate = rejected->stage == Rejected::Stage::compile ? Fate::refused_by_compiler
                                                              : Fate::refused_at_pipeline;
  else
    answer.fate = std::holds_alternative<Scored>(outcome) ? Fate::right : Fate::wrong;
  if (const auto* wrong = std::get_if<Wrong>(&outcome))
    answer.wrong_size =
        std::find_if(wrong->sizes.begin(), wrong->sizes.end(), [](const auto& size) {
          return !size.correct();
        })->label;
  return answer;
}

bool agree_on_acceptance(const Compared& compared) {
  return is_refused(compared.record.fate) == is_refused(compared.answer.fate);
}

bool both_judged(const Compared& compared) {
  return is_judged(compared.record.fate) && is_judged(compared.answer.fate);
}

bool is_disagreement(const Compared& compared) {
  if (compared.answer.fate == Fate::unchecked || !agree_on_acceptance(compared)) return true;
  return both_judged(compared) && compared.record.fate != compared.answer.fate;
}

Tally tally(std::span<const Compared> all) {
  Tally tally;
  for (const auto& each : all) {
    const auto& [record, answer] = each;
    ++tally.matrix[{record.fate, answer.fate}];
    if (answer.fate == Fate::unchecked) {
      ++tally.unchecked;
      continue;
    }
    count(tally.acceptance, agree_on_acceptance(each));
    if (is_refused(record.fate) && is_refused(answer.fate) && record.error_line)
      count(tally.error_lines, record.error_line == answer.error_line);
    if (both_judged(each)) count(tally.verdicts, record.fate == answer.fate);
    if (record.wrong_size && answer.wrong_size)
      count(tally.wrong_sizes, record.wrong_size == answer.wrong_size);
  }
  return tally;
}

std::string to_text(const Tally& tally, const std::string& title) {
  auto text = title + "\n" + matrix_text(tally);
  text += share_text("refused or not", tally.acceptance);
  text += share_text("line of the first error", tally.error_lines);
  text += share_text("right or wrong", tally.verdicts);
  text += share_text("first wrong size", tally.wrong_sizes);
  if (tally.unchecked > 0)
    text += fmt::format("  {:<26} {:>4}\n", "could not check", tally.unchecked);
  return text;
}

std::string list_disagreements(std::span<const Compared> all) {
  std::string text;
  for (const auto& each : all) {
    if (!is_disagreement(each)) continue;
    const auto& [record, answer] = each;
    text += fmt::format("{}\n  recorded: {}\n  ours:     {}\n", record.id,
                        described(record.fate, record.error_line, record.reason),
                        described(answer.fate, answer.error_line, answer.reason));
  }
  return text;
}

std::string time_text(std::span<const Compared> all) {
  PhaseTimes sum;
  for (const auto& each : all) sum += each.answer.times;
  return fmt::format("seconds: {}\n", to_text(sum));
}

std::string to_json_lines(std::span<const Compared> all) {
  std::string lines;
  for (const auto& each : all) {
    const auto& [record, answer] = each;
    const nlohmann::ordered_json json = {{"id", record.id},
                                         {"task", record.task},
                                         {"agree", !is_disagreement(each)},
                                         {"recorded", to_string(record.fate)},
                                         {"ours", to_string(answer.fate)},
                                         {"recorded_line", or_null(record.error_line)},
                                         {"our_line", or_null(answer.error_line)},
                                         {"recorded_wrong_size", or_null(record.wrong_size)},
                                         {"our_wrong_size", or_null(answer.wrong_size)},
                                         {"recorded_reason", record.reason},
                                         {"our_reason", answer.reason},
                                         {"seconds", OrderedJson::parse(to_json(answer.times))}};
    lines += json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  return lines;
}

}  // namespace msci
