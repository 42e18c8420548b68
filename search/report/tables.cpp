#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "search/report/summary.h"

namespace msci {
namespace {

constexpr std::size_t most_unfolded = 100;  // candidates

std::string number(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : no_value;
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : no_value;
}

std::string ratio_text(const std::optional<Ratio>& ratio) {
  return ratio ? fmt::format("{}{}", with_interval(*ratio), doubt_about(*ratio)) : no_value;
}

std::string or_no_value(const std::string& words) { return words.empty() ? no_value : words; }

std::string held_out_text(const RatedCandidate& candidate) {
  const auto holds = candidate.record.is_right_held_out();
  if (!holds) return no_value;
  if (*holds && candidate.held_out_speed_up) return ratio_text(candidate.held_out_speed_up);
  if (*holds) return candidate.has_low_held_out_rate ? "right, at a lower rate" : "right";
  const auto* held_out = candidate.record.held_out();
  const auto* failure = held_out ? std::get_if<Failure>(&held_out->answer) : nullptr;
  if (!failure) return "wrong";
  return failure->cause == Failure::Cause::time_out ? "too slow" : "failed";
}

// Milliseconds, rate, unit, share of the ceiling.
std::vector<std::string> timing_cells(const SizeResult& size) {
  const auto of_timing = [&](double Timing::* figure) {
    return size.timing ? std::optional((*size.timing).*figure) : std::nullopt;
  };
  const auto ms = size.timing ? std::optional(1e3 * size.timing->seconds) : std::nullopt;
  return {number(ms, 3), number(of_timing(&Timing::achieved), 2), or_no_value(size.ceiling_unit),
          size.timing && size.timing->is_above() ? "above" : percent(of_timing(&Timing::fraction))};
}

// Why columns are empty that a seed would fill.
std::string missing_seeds(const Summary& summary) {
  std::vector<std::string_view> tasks;
  for (const auto& task : summary.tasks)
    if (task.unseeded > 0) tasks.push_back(task.task);
  if (tasks.empty()) return {};
  return fmt::format(
      " No seed was scored for {} on the candidates' device, so these have no speed-up and no "
      "performance; msci-eval --task TASK --held-out --json, of a task that msci-tasks lists, "
      "gives results to add.",
      fmt::join(tasks, ", "));
}

Table leaders(const Summary& summary) {
  Table table{.title = "Tasks",
              .note =
                  "Score: geometric mean over sizes of speed ÷ device limit. Speed-up: how many "
                  "times as fast as the seed, measured in turns with it, with the 99 % interval; "
                  "empty where it was not. The best candidate of a search is the last that the "
                  "search promoted; of others, the highest score counts. The strict verdict must "
                  "not refuse it." +
                  missing_seeds(summary),
              .columns = {"task", "bound by", "best candidate", "candidates", "seed score",
                          "best score", "speed-up", "held-out speed-up"},
              .text_columns = 3,
              .name_column = 2};
  for (const auto& task : summary.tasks) {
    const auto* best = task.best ? &summary.candidates[*task.best] : nullptr;
    table.rows.push_back(
        {{task.task, or_no_value(task.regime), best ? best->record.name : no_value,
          std::to_string(task.candidates), number(task.seed_score, 4),
          best ? number(best->record.score(), 4) : no_value,
          best ? ratio_text(best->speed_up) : no_value, best ? held_out_text(*best) : no_value},
         best && best->is_silent_regression(),
         task.best});
  }
  return table;
}

std::vector<std::string> rates_of(const CascadeRates& rates) {
  // A gate tries the best of a search alone: a rate of all candidates would be a guess.
  const bool some_tried = !rates.generalisation && rates.tried > 0;
  return {percent(rates.syntax), percent(rates.degeneracy), percent(rates.function),
          some_tried ? fmt::format("{} of {}", rates.generalised, rates.tried)
                     : percent(rates.generalisation)};
}

// The kinds of cost in the total, in its order; a group without one has none of it.
std::vector<std::string> kinds_of(const Summary& summary) {
  std::vector<std::string> kinds;
  for (const auto& kind : summary.total.performance.kinds) kinds.push_back(kind.name);
  return kinds;
}

bool has_gates(const Summary& summary) { return !summary.total.gates.empty(); }

Table::Row group_row(std::string name, const GroupSummary& group,
                     const std::vector<std::string>& kinds, bool with_gates) {
  Table::Row row{
      {std::move(name), std::to_string(group.at_1.problems), std::to_string(group.at_1.samples)}};
  for (auto& rate : rates_of(group.at_1)) row.cells.push_back(std::move(rate));
  if (with_gates) row.cells.push_back(or_no_value(gates_text(group)));
  if (group.at_k)
    for (auto& rate : rates_of(*group.at_k)) row.cells.push_back(std::move(rate));
  for (const auto& kind : kinds) {
    const auto found = std::find_if(group.performance.kinds.begin(), group.performance.kinds.end(),
                                    [&](const auto& each) { return each.name == kind; });
    const bool has = found != group.performance.kinds.end();
    row.cells.push_back(has ? fmt::format("{:.2f}", found->score) : no_value);
  }
  row.cells.push_back(
      group.performance.percent ? fmt::format("{:.1f} %", *group.performance.percent) : no_value);
  return row;
}

std::vector<std::string> cascade_columns(const Summary& summary) {
  std::vector<std::string> columns = {
      "candidates of",    "tasks",      "candidates",         "STX: compiles",
      "DEG: no stand-in", "FNC: right", "GEN: right held out"};
  if (has_gates(summary)) columns.emplace_back("gate");
  if (summary.k)
    for (const auto stage : {"STX", "DEG", "FNC", "GEN"})
      columns.push_back(fmt::format("{}@{}", stage, *summary.k));
  for (auto& kind : kinds_of(summary)) columns.push_back(std::move(kind));
  columns.emplace_back("performance");
  return columns;
}

// One table of all groups; a group that is alone of its kind has the rates of all.
std::vector<Table::Row> cascade_rows(const Summary& summary) {
  const auto kinds = kinds_of(summary);
  std::vector<Table::Row> rows = {group_row("all", summary.total, kinds, has_gates(summary))};
  const auto add = [&](std::string_view kind, const std::vector<GroupSummary>& groups) {
    if (groups.size() == 1) return;
    for (const auto& group : groups)
      rows.push_back(group_row(fmt::format("{} {}", kind, or_no_value(group.name)), group, kinds,
                               has_gates(summary)));
  };
  auto generators = summary.by_generator;
  std::stable_sort(generators.begin(), generators.end(), [](const auto& a, const auto& b) {
    return a.at_1.function.value_or(0) > b.at_1.function.value_or(0);
  });
  add("generator", generators);
  add("task", summary.by_task);
  add("bound by", summary.by_regime);
  return rows;
}

Table cascade(const Summary& summary) {
  Table table{.title = "Cascade",
              .note =
                  "Shares of the candidates that pass a stage and those before it. STX: obeys "
                  "Metal's grammar and limits. DEG: runs on the GPU, and does not stand in for a "
                  "kernel. FNC: right on every tuned size by the benchmark's rule. GEN: right at "
                  "the held-out size, too; where not all were tried there, how many of those "
                  "passed. ",
              .columns = cascade_columns(summary)};
  if (has_gates(summary)) table.note += "Gate: its verdict on the best candidate of a search. ";
  table.note +=
      "Performance: 100 % = as good as the seed; failures count 0, and so does twice its cost.";
  if (summary.total.at_1.samples > 0) table.rows = cascade_rows(summary);
  return table;
}

Table silent(const Summary& summary) {
  Table table{
      .title = "Silent regressions",
      .note = fmt::format(
          "Faster than the seed in turns at the tuned sizes, or with at least {:.2f} times its "
          "score where no turns were run; wrong, failed or slower than the seed at the held-out "
          "size.",
          meaningful_speed_up),
      .columns = {"candidate", "task", "score", "seed score", "speed-up", "held-out speed-up"},
      .text_columns = 2};
  for (std::size_t i = 0; i < summary.candidates.size(); ++i)
    if (const auto& candidate = summary.candidates[i]; candidate.is_silent_regression())
      table.rows.push_back({{candidate.record.name, candidate.record.task,
                             number(candidate.record.score(), 4), number(candidate.seed_score, 4),
                             ratio_text(candidate.speed_up), held_out_text(candidate)},
                            true,
                            i});
  return table;
}

Table refused(const Summary& summary) {
  Table table{.title = "Right by the benchmark's rule alone",
              .note =
                  "Refused by the strict verdict: other inputs, tighter tolerances, or a write "
                  "beside the end of a buffer show that they do not do the task.",
              .columns = {"candidate", "task", "score", "speed-up", "held-out speed-up"},
              .text_columns = 2};
  for (std::size_t i = 0; i < summary.candidates.size(); ++i) {
    const auto& candidate = summary.candidates[i];
    if (candidate.record.correct() && !candidate.record.is_trusted())
      table.rows.push_back(
          {{candidate.record.name, candidate.record.task, number(candidate.record.score(), 4),
            ratio_text(candidate.speed_up), held_out_text(candidate)},
           true,
           i});
  }
  return table;
}

std::string gate_text(const std::optional<GateResult>& gate) {
  if (!gate) return std::string(no_value);
  std::string text(to_string(gate->verdict));
  if (gate->predicted)
    text += fmt::format(", predicted {}",
                        text_of(gate->predicted->claim(), "on " + gate->predicted->chip));
  if (gate->speed_up)
    text += fmt::format(", {}{}", gate->predicted ? "measured " : "", ratio_text(gate->speed_up));
  return text;
}

Table searches(const Summary& summary) {
  Table table{.title = "Searches",
              .columns = {"run", "task", "generator", "iterations", "failed", "first score",
                          "best score", "at iteration", "held out: verdict, speed-up"},
              .text_columns = 3};
  for (const auto& search : summary.searches) {
    const auto failed = std::count_if(search.steps.begin(), search.steps.end(),
                                      [](const auto& step) { return !step.score; });
    const auto& best = search.steps.back().best;
    const auto at = std::find_if(search.steps.begin(), search.steps.end(),
                                 [&](const auto& step) { return best && step.score == best; });
    table.rows.push_back({{search.run, search.task, or_no_value(search.generator),
                           std::to_string(search.steps.back().iteration), std::to_string(failed),
                           number(search.steps.front().score, 4), number(best, 4),
                           at == search.steps.end() ? no_value : std::to_string(at->iteration),
                           gate_text(search.gate)},
                          search.gate && !search.gate->generalises()});
  }
  return table;
}

Table diagnostics(const Summary& summary) {
  Table table{.title = "Diagnostics",
              .columns = {"rule", "severity", "files", "findings"},
              .text_columns = 2};
  for (const auto& count : summary.diagnostics)
    table.rows.push_back(
        {{count.id, count.severity, std::to_string(count.files), std::to_string(count.findings)}});
  return table;
}

std::string verdict_of(const RatedCandidate& candidate) {
  if (candidate.record.is_trusted()) return "right";
  if (candidate.record.correct()) return "right by the benchmark's rule alone";
  return candidate.record.fail_reason().value_or("wrong");
}

// The last stage that a candidate passed, in words beside the abbreviation.
std::string stage_text(Stage stage) {
  switch (stage) {
    case Stage::none:
      break;
    case Stage::syntax:
      return "STX: compiles";
    case Stage::degeneracy:
      return "DEG: no stand-in";
    case Stage::function:
      return "FNC: right";
    case Stage::generalisation:
      return "GEN: right held out";
  }
  return no_value;
}

Table candidates(const Summary& summary) {
  Table table{.title = std::string(candidates_title),
              .columns = {"candidate", "task", "verdict", "passed", "score", "speed-up",
                          "held-out speed-up"},
              .text_columns = 4,
              .is_long = summary.candidates.size() > most_unfolded};
  for (std::size_t i = 0; i < summary.candidates.size(); ++i) {
    const auto& candidate = summary.candidates[i];
    table.rows.push_back(
        {{candidate.record.name, or_no_value(candidate.record.task), verdict_of(candidate),
          stage_text(candidate.passed), number(candidate.record.score(), 4),
          ratio_text(candidate.speed_up), held_out_text(candidate)},
         candidate.is_silent_regression(),
         i});
  }
  return table;
}

Table seed_sizes(const Summary& summary) {
  Table table{.title = "Seeds by size",
              .columns = {"seed", "task", "size", "ms", "achieved", "unit", "fraction of ceiling"},
              .text_columns = 3,
              .is_long = true};
  const auto add = [&](const ResultRecord& seed, const SizeResult& size, std::string_view suffix) {
    Table::Row row{{seed.name, seed.task, fmt::format("{}{}", size.label, suffix)}};
    for (auto& cell : timing_cells(size)) row.cells.push_back(std::move(cell));
    table.rows.push_back(std::move(row));
  };
  for (const auto& seed : summary.seeds) {
    for (const auto& size : seed.sizes()) add(seed, size, "");
    if (const auto* held_out = seed.held_out()) add(seed, *held_out, " (held out)");
  }
  return table;
}

Table unchecked(const Summary& summary) {
  Table table{.title = "Not checked",
              .note = "msci could not check these kernels.",
              .columns = {"file", "reason"},
              .text_columns = 2};
  for (const auto& record : summary.unchecked)
    table.rows.push_back({{record.name, std::get<Error>(record.result).message}, true});
  return table;
}

}  // namespace

std::string milliseconds_text(double seconds) { return fmt::format("{:.3g}", 1e3 * seconds); }

std::vector<const ResultRecord*> judged(const Summary& summary) {
  std::vector<const ResultRecord*> records;
  for (const auto& seed : summary.seeds) records.push_back(&seed);
  for (const auto& candidate : summary.candidates) records.push_back(&candidate.record);
  return records;
}

Table size_table(const ResultRecord& record) {
  Table table{.title = "Sizes",
              .columns = {"size", "result", "error", "at most", "ms", "achieved", "unit",
                          "fraction of ceiling"},
              .text_columns = 2};
  const auto add = [&](const SizeResult& size, std::string_view suffix) {
    const auto answer = fields_of(size.answer);
    const auto error = answer.error_value ? fmt::format("{:.3e}", *answer.error_value)
                                          : answer.error_text.value_or(no_value);
    Table::Row row{{fmt::format("{}{}", size.label, suffix),
                    answer.message   ? *answer.message
                    : answer.correct ? "right"
                                     : "wrong",
                    error, answer.tolerance ? fmt::format("{:.3e}", *answer.tolerance) : no_value},
                   !size.correct()};
    for (auto& cell : timing_cells(size)) row.cells.push_back(std::move(cell));
    table.rows.push_back(std::move(row));
  };
  for (const auto& size : record.sizes()) add(size, "");
  if (const auto* held_out = record.held_out()) add(*held_out, " (held out)");
  if (record.strict)
    for (const auto& size : record.strict->sizes) add(size, " (strict)");
  return table;
}

std::vector<std::pair<std::string, std::string>> facts_of(const RatedCandidate& candidate) {
  const auto& record = candidate.record;
  std::vector<std::pair<std::string, std::string>> facts;
  const auto add = [&](std::string name, std::string value) {
    if (!value.empty() && value != no_value) facts.emplace_back(std::move(name), std::move(value));
  };
  add("task", record.task);
  add("verdict", verdict_of(candidate));
  add("passed", stage_text(candidate.passed));
  add("score", number(record.score(), 4));
  add("speed-up over the seed", ratio_text(candidate.speed_up));
  add("held-out size", held_out_text(candidate));
  add("gate", gate_text(record.gate));
  if (record.strict) add("strict verdict", record.strict->passed ? "passed" : "refused");
  add("device", record.device);
  add("generator", record.generator);
  add("search", record.run);
  if (record.iteration) add("iteration", std::to_string(*record.iteration));
  if (record.threadgroup_bytes)
    add("threadgroup memory", fmt::format("{} bytes", *record.threadgroup_bytes));
  return facts;
}

std::vector<Table> tables_of(const Summary& summary) {
  std::vector<Table> tables = {leaders(summary),
                               candidates(summary),
                               refused(summary),
                               silent(summary),
                               searches(summary),
                               cascade(summary),
                               diagnostics(summary),
                               seed_sizes(summary),
                               check_table(check_predictions(judged(summary))),
                               prediction_table(judged(summary)),
                               unchecked(summary)};
  for (const auto& page : summary.profiles) tables.push_back(profile_table(page));
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  return tables;
}

}  // namespace msci
