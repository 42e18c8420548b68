#include "search/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "evaluator/score/performance.h"

namespace msci {
namespace {

using Role = EvaluationResult::Role;

// --- One candidate

std::optional<double> fraction_of(const SizeResult& size) {
  return size.timing ? std::optional(size.timing->fraction) : std::nullopt;
}

std::optional<double> held_out_fraction(const ResultRecord& record) {
  return record.held_out() && record.held_out()->correct() ? fraction_of(*record.held_out())
                                                           : std::nullopt;
}

std::optional<double> mean_seconds(const ResultRecord& record) {
  if (!record.correct()) return std::nullopt;
  std::vector<std::optional<double>> seconds;
  for (const auto& size : record.sizes())
    seconds.push_back(size.timing ? std::optional(size.timing->seconds) : std::nullopt);
  return mean_ratio(seconds);
}

std::optional<double> as_cost(std::optional<std::size_t> bytes) {
  return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

// "device time", "threadgroup memory", "source size": what candidates are scored by, with how to
// read each off a record; none where it failed, or nothing was measured.
struct CostKind {
  std::string_view name;
  std::optional<double> (*of)(const ResultRecord&);
};

constexpr std::array kinds = {
    CostKind{"device time", mean_seconds},
    CostKind{"threadgroup memory",
             [](const ResultRecord& record) {
               return record.correct() ? as_cost(record.threadgroup_bytes) : std::nullopt;
             }},
    CostKind{"source size",
             [](const ResultRecord& record) {
               const bool is_known = record.source_bytes > 0;
               return record.correct() && is_known ? as_cost(record.source_bytes) : std::nullopt;
             }},
};

// Two scores of different moments are no speed-up.
std::optional<Ratio> speed_up_of(const ResultRecord& record, const ResultRecord& seed) {
  if (!record.correct()) return std::nullopt;
  if (!record.program.empty() && record.program == seed.program) return same_program_ratio;
  const auto& comparison = record.comparison;
  const bool is_of_seed = comparison && record.run == seed.run && comparison->rival == seed.file;
  return is_of_seed ? comparison->ratio() : record.speed_up;
}

bool is_lower(const std::optional<double>& rate, const std::optional<double>& seeds) {
  return rate && seeds && *rate * meaningful_speed_up <= *seeds;
}

RatedCandidate rate(ResultRecord record, const ResultRecord* seed) {
  RatedCandidate rated{.passed = stage_of(record)};
  if (seed) {
    rated.seed_score = seed->score();
    rated.speed_up = speed_up_of(record, *seed);
    rated.has_low_held_out_rate = is_lower(held_out_fraction(record), held_out_fraction(*seed));
  }
  if (record.gate) rated.held_out_speed_up = record.gate->speed_up;
  rated.record = std::move(record);
  return rated;
}

std::string regime_of(const ResultRecord& record) {
  for (const auto& size : record.sizes()) {
    if (size.ceiling_unit == "GB/s") return "bandwidth";
    if (size.ceiling_unit == "GFLOPS") return "compute";
  }
  return {};
}

// --- Groups

using Members = std::vector<const RatedCandidate*>;

std::vector<CostSample> costs_of(const Members& members, const std::vector<ResultRecord>& seeds) {
  std::vector<CostSample> samples;
  for (const auto* member : members) {
    const auto* seed = seed_of(member->record, seeds);
    for (const auto& kind : kinds)
      if (const auto golden = seed ? kind.of(*seed) : std::nullopt; golden && *golden > 0)
        samples.push_back({std::string(kind.name), kind.of(member->record), *golden});
  }
  return samples;
}

GroupSummary group(std::string name, const Members& members, const std::vector<ResultRecord>& seeds,
                   std::optional<unsigned> k) {
  std::vector<CascadeSample> samples;
  for (const auto* member : members)
    samples.push_back(
        {member->record.task, member->passed, member->record.is_right_held_out().has_value()});
  GroupSummary summary{.name = std::move(name),
                       .at_1 = cascade_rates(samples),
                       .performance = performance_total(costs_of(members, seeds))};
  for (const auto* member : members)
    if (member->record.gate) ++summary.gates[member->record.gate->verdict];
  if (k) summary.at_k = cascade_rates(samples, *k);
  return summary;
}

Members with_task(const std::vector<RatedCandidate>& candidates) {
  Members members;
  for (const auto& candidate : candidates)
    if (!candidate.record.task.empty()) members.push_back(&candidate);
  return members;
}

// One group for each key; what has an empty key is in none.
template <typename Key>
std::vector<GroupSummary> groups(const Summary& summary, Key key) {
  std::map<std::string, Members> members;
  for (const auto* candidate : with_task(summary.candidates))
    if (auto name = key(*candidate); !name.empty()) members[std::move(name)].push_back(candidate);
  std::vector<GroupSummary> all;
  for (const auto& [name, group_members] : members)
    all.push_back(group(name, group_members, summary.seeds, summary.k));
  return all;
}

// A candidate that never ran has the regime of its task.
std::string regime_in(const std::vector<TaskSummary>& tasks, const std::string& name) {
  const auto task =
      std::find_if(tasks.begin(), tasks.end(), [&](const auto& each) { return each.task == name; });
  return task == tasks.end() ? "" : task->regime;
}

// --- The rest

std::optional<double> any_score(const ResultRecord& record) {
  return record.score() ? record.score() : record.predicted_score();
}

using SearchName = std::pair<std::string, std::string>;  // task and run

// The last iteration of each search that became its best: the one definition that all programs
// share (search::incumbent()).
std::map<SearchName, unsigned> best_iterations(const std::vector<RatedCandidate>& candidates) {
  std::map<SearchName, unsigned> best;
  for (const auto& candidate : candidates) {
    const auto& record = candidate.record;
    if (!record.is_new_best || !record.iteration) continue;
    auto& iteration = best[{record.task, record.run}];
    iteration = std::max(iteration, *record.iteration);
  }
  return best;
}

std::vector<TaskSummary> tasks_of(const Summary& summary) {
  std::map<std::string, TaskSummary> tasks;
  const auto best_of_searches = best_iterations(summary.candidates);
  const auto may_be_best = [&](const ResultRecord& record) {
    if (!record.iteration) return true;
    const auto found = best_of_searches.find({record.task, record.run});
    return found != best_of_searches.end() && found->second == record.iteration;
  };
  for (const auto& seed : summary.seeds) {
    auto& task = tasks[seed.task];
    if (!task.seed_score) task.seed_score = seed.score();
    if (task.regime.empty()) task.regime = regime_of(seed);
  }
  for (std::size_t i = 0; i < summary.candidates.size(); ++i) {
    const auto& candidate = summary.candidates[i];
    const auto& record = candidate.record;
    auto& task = tasks[record.task];
    ++task.candidates;
    if (!candidate.seed_score) ++task.unseeded;
    if (task.regime.empty()) task.regime = regime_of(record);
    if (!record.is_trusted()) continue;
    ++task.trusted;
    const auto score = any_score(record);
    if (!score || !may_be_best(record)) continue;
    if (task.best && score <= any_score(summary.candidates[*task.best].record)) continue;
    task.best = i;
    task.seed_score = candidate.seed_score;
  }
  std::vector<TaskSummary> list;
  for (auto& [name, task] : tasks) {
    if (name.empty()) continue;
    task.task = name;
    list.push_back(std::move(task));
  }
  return list;
}

std::vector<Convergence> searches_in(const std::vector<ResultRecord>& records) {
  std::map<std::pair<std::string, std::string>, Convergence> searches;
  for (const auto& record : records) {
    if (!record.iteration) continue;
    auto& search = searches[{record.task, record.run}];
    search.task = record.task;
    search.run = record.run;
    search.generator = record.generator;
    const auto score = any_score(record);
    const bool is_best = record.is_new_best || record.role == Role::seed;
    search.steps.push_back(
        {.iteration = *record.iteration, .score = score, .best = is_best ? score : std::nullopt});
    if (record.gate) search.gate = record.gate;
  }
  std::vector<Convergence> list;
  for (auto& [key, search] : searches) {
    std::sort(search.steps.begin(), search.steps.end(),
              [](const auto& a, const auto& b) { return a.iteration < b.iteration; });
    std::optional<double> best;
    for (auto& step : search.steps) {
      if (step.best) best = step.best;
      step.best = best;
    }
    list.push_back(std::move(search));
  }
  return list;
}

std::vector<DiagnosticCount> count_diagnostics(const std::vector<ResultRecord>& records) {
  std::map<std::string, DiagnosticCount> counts;
  for (const auto& record : records) {
    std::set<std::string_view> seen;
    for (const auto& diagnostic : record.diagnostics) {
      auto& count = counts[diagnostic.id];
      count.id = diagnostic.id;
      count.severity = to_string(diagnostic.severity);
      ++count.findings;
      if (seen.insert(diagnostic.id).second) ++count.files;
    }
  }
  std::vector<DiagnosticCount> list;
  for (auto& [id, count] : counts) list.push_back(std::move(count));
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.files > b.files; });
  return list;
}

bool comes_before(const RatedCandidate& a, const RatedCandidate& b) {
  // A missing score sorts behind every score.
  const auto key = [](const RatedCandidate& each) {
    return std::make_tuple(std::cref(each.record.task), -each.record.score().value_or(-1),
                           std::cref(each.record.name), std::cref(each.record.device));
  };
  return key(a) < key(b);
}

bool seed_comes_before(const ResultRecord& a, const ResultRecord& b) {
  const auto key = [](const ResultRecord& each) {
    return std::make_tuple(std::cref(each.task), std::cref(each.device), std::cref(each.run),
                           std::cref(each.name), -each.score().value_or(-1));
  };
  return key(a) < key(b);
}

std::vector<std::string> devices_of(const std::vector<ResultRecord>& records) {
  std::set<std::string> devices;
  for (const auto& record : records)
    if (!record.device.empty()) devices.insert(record.device);
  return {devices.begin(), devices.end()};
}

// Puts each record where it belongs; those of skipped iterations belong to their search alone.
void sort_out(Summary& summary, std::vector<ResultRecord> records) {
  std::vector<ResultRecord> candidates;
  for (auto& record : records) {
    if (record.profile)
      summary.profiles.push_back(*std::move(record.profile));
    else if (!record.is_checked())
      summary.unchecked.push_back(std::move(record));
    else if (!record.is_judged || record.role == Role::skipped)
      continue;
    else if (record.role == Role::seed)
      summary.seeds.push_back(std::move(record));
    else
      candidates.push_back(std::move(record));
  }
  std::stable_sort(summary.seeds.begin(), summary.seeds.end(), seed_comes_before);
  std::stable_sort(summary.unchecked.begin(), summary.unchecked.end(),
                   [](const auto& a, const auto& b) { return a.name < b.name; });
  for (auto& candidate : candidates) {
    const auto* seed = seed_of(candidate, summary.seeds);
    summary.candidates.push_back(rate(std::move(candidate), seed));
  }
  std::stable_sort(summary.candidates.begin(), summary.candidates.end(), comes_before);
}

}  // namespace

bool RatedCandidate::is_silent_regression() const {
  const auto holds = record.is_right_held_out();
  const bool has_gained =
      speed_up ? speed_up->interval.low > 1 : is_lower(seed_score, record.score());
  if (!has_gained || !holds) return false;
  if (!*holds) return true;
  return record.gate ? !record.gate->generalises() : has_low_held_out_rate;
}

bool RatedCandidate::is_shown_to_be_faster() const {
  const auto shows = [](const std::optional<Ratio>& ratio) {
    return ratio && ratio->interval.low > 1;
  };
  return shows(speed_up) || shows(held_out_speed_up);
}

const ResultRecord* seed_of(const ResultRecord& candidate, const std::vector<ResultRecord>& seeds) {
  const ResultRecord* found = nullptr;
  for (const auto& seed : seeds) {
    if (seed.task != candidate.task || seed.device != candidate.device) continue;
    if (seed.run == candidate.run) return &seed;
    if (!found || (!found->score() && seed.score())) found = &seed;
  }
  return found;
}

std::string gates_text(const GroupSummary& group) {
  const auto& gates = group.gates;
  if (gates.size() == 1 && gates.begin()->second == 1)
    return std::string(to_string(gates.begin()->first));
  std::string text;
  for (const auto& [verdict, count] : gates)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", to_string(verdict), count);
  return text;
}

Stage stage_of(const ResultRecord& record) {
  if (record.regression_type) return Stage::syntax;
  const auto* outcome = std::get_if<Outcome>(&record.result);
  if (!outcome || std::holds_alternative<Rejected>(*outcome)) return Stage::none;
  if (!record.correct()) return Stage::degeneracy;
  return record.is_right_held_out().value_or(false) ? Stage::generalisation : Stage::function;
}

Summary summarise(std::vector<ResultRecord> records, std::optional<unsigned> k) {
  Summary summary{.devices = devices_of(records),
                  .k = k,
                  .searches = searches_in(records),
                  .diagnostics = count_diagnostics(records)};
  sort_out(summary, std::move(records));
  summary.tasks = tasks_of(summary);
  summary.total = group("all", with_task(summary.candidates), summary.seeds, k);
  summary.by_task = groups(summary, [](const auto& each) { return each.record.task; });
  summary.by_regime =
      groups(summary, [&](const auto& each) { return regime_in(summary.tasks, each.record.task); });
  summary.by_generator = groups(summary, [](const auto& each) { return each.record.generator; });
  return summary;
}

}  // namespace msci
