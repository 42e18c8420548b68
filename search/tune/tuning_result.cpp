#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "base/json.h"
#include "evaluator/result/evaluation_result.h"
#include "search/tune/tune.h"

namespace msci::search {
namespace {

constexpr std::size_t most_rows = 10;

// One point that was judged.
struct Trial {
  const Record* record;
  const Configuration* point;
  EvaluationResult judgement;
};

Result<EvaluationResult> kept_judgement(const Record& record, const Store& store) {
  // That of an equal program has the times.
  const auto source = record.same_program_as.value_or(record.iteration);
  const auto text = store.read(file_of(source, "result.json"));
  if (!text) return text.error();
  return evaluation_from_json(text->value_or(""));
}

Result<std::vector<Trial>> trials_of(Tuner& tuner, const Store& store, const History& history) {
  std::vector<Trial> trials;
  for (const auto& record : history) {
    if (record.iteration == 0 || !record.is_judged()) continue;
    auto judgement = kept_judgement(record, store);
    if (!judgement) return judgement.error();
    trials.push_back(
        {&record, &tuner.configuration(record.iteration, history), *std::move(judgement)});
  }
  return trials;
}

double seconds_of(const SizeResult& size) {
  if (size.predicted) return size.predicted->seconds;
  return size.timing ? size.timing->seconds : 0;
}

// Of a pass: the geometric mean over the sizes; none unless all have a time.
std::optional<double> time_of(const EvaluationResult& judgement) {
  double sum = 0;
  for (const auto& size : judgement.sizes()) {
    const double seconds = seconds_of(size);
    if (seconds <= 0) return std::nullopt;
    sum += std::log(seconds);
  }
  if (judgement.sizes().empty()) return std::nullopt;
  return std::exp(sum / static_cast<double>(judgement.sizes().size()));
}

// The format's words.
std::string_view invalidity(const Record& record) {
  if (!record.compile_ok) return "compile";
  if (record.score) return "correct";
  return "correctness";
}

OrderedJson number_or_text(const std::string& value) {
  const auto json = parse_json<OrderedJson>(value);
  return json && (json->is_number() || json->is_boolean()) ? *json : OrderedJson(value);
}

// "2026-11-29T17:00:00+00:00": when the file was written.
std::string written_at(const Store& store, const std::string& name) {
  std::error_code ignored;
  const auto time = std::filesystem::last_write_time(store.path(name), ignored);
  const auto seconds = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(
          std::chrono::file_clock::to_sys(time)));
  return fmt::format("{:%FT%T}+00:00", fmt::gmtime(seconds));
}

OrderedJson values_json(const TuneSpace& space, const Configuration& point) {
  OrderedJson values = OrderedJson::object();
  for (std::size_t i = 0; i < point.size(); ++i)
    values[space.tunables[i].name] = number_or_text(space.tunables[i].values[point[i]]);
  return values;
}

// In milliseconds, by size; empty of a kernel that is wrong.
OrderedJson runtimes_json(const Trial& trial) {
  OrderedJson runtimes = OrderedJson::array();
  if (trial.record->score)
    for (const auto& size : trial.judgement.sizes()) runtimes.push_back(seconds_of(size) * 1e3);
  return runtimes;
}

OrderedJson result_json(const TuneSpace& space, const Store& store, const Trial& trial) {
  const auto& [record, point, judgement] = trial;
  OrderedJson measurements = OrderedJson::array();
  const auto measure = [&](const std::string& name, double value, const char* unit) {
    measurements.push_back({{"name", name}, {"value", value}, {"unit", unit}});
  };
  if (record->score) {
    if (const auto time = time_of(judgement)) measure("time", *time * 1e3, "ms");
    measure("score", *record->score, "");
    for (const auto& size : judgement.sizes())
      measure("time of " + size.label, seconds_of(size) * 1e3, "ms");
  }
  return {{"timestamp", written_at(store, file_of(record->iteration, "result.json"))},
          {"configuration", values_json(space, *point)},
          {"objectives", {"time"}},
          {"times",
           {{"compilation", 0},
            {"benchmark", record->elapsed_s * 1e3},
            {"framework", 0},
            {"search_algorithm", 0},
            {"validation", 0},
            {"runtimes", runtimes_json(trial)}}},
          {"invalidity", invalidity(*record)},
          {"correctness", record->score ? 1 : 0},
          {"measurements", measurements}};
}

// An entry of a cache file. Only the seconds of the whole judgement are known; those of the
// benchmark count in simulations.
OrderedJson entry_json(const TuneSpace& space, const Store& store, const Trial& trial) {
  const auto& record = *trial.record;
  auto entry = values_json(space, *trial.point);
  const auto time = record.score ? time_of(trial.judgement) : std::nullopt;
  if (time)
    entry["time"] = *time * 1e3;
  else
    entry["time"] = record.compile_ok ? "RuntimeFailedConfig" : "CompilationFailedConfig";
  entry["times"] = runtimes_json(trial);
  for (const char* unknown :
       {"compile_time", "verification_time", "strategy_time", "framework_time"})
    entry[unknown] = 0;
  entry["benchmark_time"] = record.elapsed_s * 1e3;
  entry["timestamp"] = written_at(store, file_of(record.iteration, "result.json"));
  return entry;
}

// As str() of Python writes a value that JSON holds: Kernel Tuner looks points up by that.
std::string in_python(const OrderedJson& value) {
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string counts_text(const std::vector<Trial>& trials, std::size_t points) {
  std::size_t compile = 0, wrong = 0, same = 0;
  for (const auto& [record, point, judgement] : trials) {
    if (record->same_program_as) ++same;
    if (!record->compile_ok) ++compile;
    if (record->compile_ok && !record->score) ++wrong;
  }
  return fmt::format(
      "{} of {} points tried: {} right, {} wrong, {} not compiled; {} equal to an earlier "
      "program, and not measured again",
      trials.size(), points, trials.size() - compile - wrong, wrong, compile, same);
}

}  // namespace

Result<std::string> tuning_table(Tuner& tuner, const Store& store, const History& history) {
  auto trials = trials_of(tuner, store, history);
  if (!trials) return trials.error();
  auto text = counts_text(*trials, tuner.size()) + "\n";
  std::erase_if(*trials, [](const Trial& trial) { return !trial.record->score; });
  const auto best = incumbent(history).iteration;
  std::ranges::stable_sort(*trials, [&](const Trial& one, const Trial& other) {
    const bool leads = one.record->iteration == best, follows = other.record->iteration == best;
    return leads != follows
               ? leads
               : time_of(one.judgement).value_or(0) < time_of(other.judgement).value_or(0);
  });
  if (trials->size() > most_rows) trials->resize(most_rows);
  if (!trials->empty()) text += fmt::format("{:>4}  {:>10}  {:>8}  values\n", "", "ms", "score");
  for (const auto& [record, point, judgement] : *trials)
    text += fmt::format("{:>4}  {:>10.4g}  {:>8.4f}  {}{}\n", record->iteration,
                        time_of(judgement).value_or(0) * 1e3, *record->score,
                        to_string(tuner.space(), *point), record->is_new_best ? "  *" : "");
  return text;
}

Result<std::string> tuning_json(Tuner& tuner, const Store& store, const History& history) {
  const auto trials = trials_of(tuner, store, history);
  if (!trials) return trials.error();
  OrderedJson results = OrderedJson::array();
  for (const auto& trial : *trials) results.push_back(result_json(tuner.space(), store, trial));
  const OrderedJson json = {{"schema_version", "1.0.0"}, {"results", results}};
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

Result<std::string> tuning_cache(Tuner& tuner, const Store& store, const History& history) {
  const auto& space = tuner.space();
  auto trials = trials_of(tuner, store, history);
  if (!trials) return trials.error();
  const auto seed = kept_judgement(history.front(), store);
  if (!seed) return seed.error();
  const auto own = own_point(space);
  if (own && std::ranges::find(space.points, *own) != space.points.end())
    trials->push_back({&history.front(), &*own, *seed});
  OrderedJson names = OrderedJson::array(), values = OrderedJson::object(),
              entries = OrderedJson::object();
  for (const auto& tunable : space.tunables) {
    names.push_back(tunable.name);
    for (const auto& value : tunable.values) values[tunable.name].push_back(number_or_text(value));
  }
  for (const auto& trial : *trials) {
    std::vector<std::string> key;
    for (const auto& value : values_json(space, *trial.point)) key.push_back(in_python(value));
    entries[fmt::format("{}", fmt::join(key, ","))] = entry_json(space, store, trial);
  }
  std::vector<std::string> sizes;
  for (const auto& size : seed->sizes()) sizes.push_back(size.label);
  const OrderedJson json = {
      {"schema_version", "1.1.0"}, {"device_name", seed->device},
      {"kernel_name", seed->task}, {"problem_size", fmt::format("{}", fmt::join(sizes, ", "))},
      {"tune_params_keys", names}, {"tune_params", values},
      {"objective", "time"},       {"cache", entries}};
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace msci::search
