#include <fmt/format.h>

#include <algorithm>

#include "analysis/profile/chip.h"
#include "base/text.h"
#include "evaluator/result/result_text.h"
#include "search/instructions.h"
#include "search/loop.h"
#include "tasks/describe.h"

namespace msci::search {
namespace {

constexpr std::size_t remembered = 8;  // records that the history quotes
constexpr std::size_t stagnant_attempts = 3;
constexpr double stagnant_share = 0.85;  // of the incumbent's score

std::string shown(std::string_view heading, const PromptAttempt& attempt) {
  return fmt::format("# {}\n\n```metal\n{}\n```\n\nIts result:\n\n{}\n", heading,
                     trimmed(attempt.source), prompt_text(attempt.judgement));
}

std::string same_program(const Record& record) {
  if (!record.same_program_as) return "";
  return *record.same_program_as == 0
             ? ", the same program as the seed's"
             : fmt::format(", the same program as that of iteration {}", *record.same_program_as);
}

std::string line_of(const Record& record) {
  if (record.role == Record::Role::skipped)
    return fmt::format("- iteration {}: {}\n", record.iteration,
                       record.no_source.empty() ? "no answer" : record.no_source);
  if (!record.is_judged())
    return fmt::format("- iteration {}: it could not be judged\n", record.iteration);
  return fmt::format("- iteration {}{}: compile {}, correct {}, score {}", record.iteration,
                     record.role == Record::Role::seed ? " (seed)" : "",
                     record.compile_ok ? "OK" : "FAIL", record.correct ? "True" : "False",
                     record.score ? fmt::format("{}", *record.score) : "N/A") +
         same_program(record) + "\n";
}

std::string history_text(const History& history) {
  std::string text = "# The last iterations\n\n";
  for (auto i = history.size() - std::min(history.size(), remembered); i < history.size(); ++i)
    text += line_of(history[i]);
  return text + "\n";
}

constexpr std::string_view stagnation = R"(# The search stagnates

The last three correct attempts stayed within 15 % of the best. Try one that differs in structure:
another memory layout, cooperative loads into threadgroup memory, simdgroup reductions and shuffles,
several steps of the work fused in a dispatch, threadgroups that stay and loop, lower precision
where the tolerance permits.

)";

constexpr std::string_view measured_ceiling =
    "The ceiling is what the device reached in a simple test that touches as many bytes; 100% is "
    "no reason to stop.";

// How kernels are scored: by times predicted for a chip, or measured where it is empty.
std::string rules_of_the_game(const std::string& chip) {
  const auto known = find_chip(chip);
  const auto how =
      known ? fmt::format(
                  "Times are those that a model predicts for an {}, from what the kernel does: its "
                  "instructions, memory accesses, registers and barriers. A kernel replaces the "
                  "best only if its prediction is better beyond the model's error.",
                  (*known)->title)
            : std::string(measured_ceiling);
  return fmt::format(
      "at every size. Fitness is the geometric mean over the sizes of achieved / ceiling, and zero "
      "if any size is wrong. {} Answer with one code block; keep the kernels' names and the "
      "buffers' indices.\n",
      how);
}

std::string request(const PromptAttempt& previous, bool is_first) {
  const auto rules = rules_of_the_game(previous.judgement.chip);
  std::string text = "# Your turn\n\n";
  if (is_first)
    return text + fmt::format("Write a kernel that is faster than this seed, {}", rules);
  if (previous.judgement.fail_reason())
    text += "Mend what failed in the previous attempt. Then write";
  else
    text += "Write";
  return text + fmt::format(" a kernel that is faster than the best so far, {}", rules);
}

}  // namespace

bool stagnates(const History& history) {
  std::vector<const Record*> correct;
  for (const auto& record : history)
    if (record.iteration > 0 && record.score) correct.push_back(&record);
  if (correct.size() < stagnant_attempts) return false;
  const double best = *incumbent(history).score;
  return std::all_of(correct.end() - stagnant_attempts, correct.end(), [&](const Record* record) {
    return !record->is_new_best && *record->score >= stagnant_share * best &&
           *record->score <= best;
  });
}

std::string write_prompt(const Task& task, const PromptAttempt& previous,
                         const PromptAttempt& parent, const History& history) {
  const bool is_first = std::none_of(history.begin(), history.end(), [](const Record& record) {
    return record.role == Record::Role::candidate && record.is_judged();
  });
  auto text = fmt::format("{}\n# The task: {}\n\n{}\n", instructions, task.title, describe(task));
  if (is_first) {
    text += shown("The seed kernel", previous);
    if (history.size() > 1) text += history_text(history);
  } else {
    text += shown("The previous attempt", previous);
    if (trimmed(previous.source) != trimmed(parent.source))
      text += shown("The kernel to improve on", parent);
    text += history_text(history);
    if (stagnates(history)) text += stagnation;
  }
  return text + request(previous, is_first);
}

}  // namespace msci::search
