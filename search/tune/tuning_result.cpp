#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

Result<std::vector<Trial>> trials_of(Tuner& tuner, const Store& store, const History& history) {
  std::vector<Trial> trials;
  for (const auto& record : history) {
    if (record.iteration == 0 || !record.is_judged()) continue;
    // That of an equal program has the times.
    const auto source = record.same_program_as.value_or(record.iteration);
    const auto text = store.read(file_of(source, "result.json"));
    if (!text) return text.error();
    auto judgement = evaluation_from_json(text->value_or(""));
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

OrderedJson result_json(const TuneSpace& space, const Trial& trial) {
  const auto& [record, point, judgement] = trial;
  OrderedJson configuration = OrderedJson::object();
  for (std::size_t i = 0; i < point->size(); ++i)
    configuration[space.tunables[i].name] = number_or_text(space.tunables[i].values[(*point)[i]]);
  OrderedJson runtimes = OrderedJson::array(), measurements = OrderedJson::array();
  const auto measure = [&](const std::string& name, double value, const char* unit) {
    measurements.push_back({{"name", name}, {"value", value}, {"unit", unit}});
  };
  if (record->score) {
    if (const auto time = time_of(judgement)) measure("time", *time * 1e3, "ms");
    measure("score", *record->score, "");
    for (const auto& size : judgement.sizes()) {
      runtimes.push_back(seconds_of(size) * 1e3);
      measure("time of " + size.label, seconds_of(size) * 1e3, "ms");
    }
  }
  return {{"configuration", configuration},
          {"objectives", {"time"}},
          {"times", {{"runtimes", runtimes}, {"framework", record->elapsed_s * 1e3}}},
          {"invalidity", invalidity(*record)},
          {"correctness", record->score ? 1 : 0},
          {"measurements", measurements}};
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
  for (const auto& trial : *trials) results.push_back(result_json(tuner.space(), trial));
  const OrderedJson json = {{"schema_version", "1.0.0"}, {"results", results}};
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace msci::search
