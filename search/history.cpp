#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <regex>

#include "base/json.h"
#include "search/loop.h"

namespace msci::search {
namespace {

template <typename T>
OrderedJson or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson json_of(const Usage& usage) {
  return {{"input_tokens", usage.input_tokens},
          {"output_tokens", usage.output_tokens},
          {"cost", usage.cost}};
}

OrderedJson json_of(const Speedup& speedup) {
  const auto& [median, interval] = speedup.ratio;
  return {
      {"over", speedup.over}, {"low", interval.low}, {"estimate", median}, {"high", interval.high}};
}

OrderedJson json_of(const Record& record) {
  OrderedJson json = {
      {"iteration", record.iteration},
      {"role", to_string(record.role)},
      {"compile_ok", record.checked ? OrderedJson(record.compile_ok) : OrderedJson(nullptr)},
      {"correct", record.checked ? OrderedJson(record.correct) : OrderedJson(nullptr)},
      {"score", or_null(record.score)},
      {"fail_reason", or_null(record.fail_reason)},
      {"source_path",
       record.source_path.empty() ? OrderedJson(nullptr) : OrderedJson(record.source_path)},
      {"elapsed_s", record.elapsed_s},
      {"is_new_best", record.is_new_best},
      {"parent", record.iteration == 0 ? OrderedJson(nullptr) : OrderedJson(record.parent)},
      {"generation", record.generation},
      {"regime", record.regime},
      {"usage", json_of(record.usage)}};
  if (record.predicted) json["extrapolated"] = !why_unlike(record).empty();
  if (record.claim) {
    json["claim"] = to_string(record.claim->kind);
    json["confidence"] = record.claim->confidence;
    json["reason"] = record.claim->reason;
  }
  if (record.same_program_as) json["same_program_as"] = *record.same_program_as;
  if (record.speedup) json["speedup"] = json_of(*record.speedup);
  return json;
}

OrderedJson json_of(const History& history) {
  OrderedJson list = OrderedJson::array();
  for (const auto& record : history) list.push_back(json_of(record));
  return list;
}

std::string dumped(const OrderedJson& json) {
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string without_comments(const std::string& source) {
  static const std::regex comment(R"(//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)");
  return std::regex_replace(source, comment, " ");
}

}  // namespace

Usage& Usage::operator+=(const Usage& other) {
  input_tokens += other.input_tokens;
  output_tokens += other.output_tokens;
  cost += other.cost;
  return *this;
}

std::string_view to_string(Record::Role role) {
  switch (role) {
    case Record::Role::seed:
      return "seed";
    case Record::Role::candidate:
      return "candidate";
    case Record::Role::skipped:
      return "skipped";
  }
  return "skipped";
}

const Record& incumbent(const History& history) {
  return *std::find_if(history.rbegin(), history.rend(),
                       [](const Record& record) { return record.is_new_best; });
}

std::optional<unsigned> find_same_program(const History& before, const std::string& program) {
  if (program.empty()) return std::nullopt;
  for (const auto& known : before)
    if (known.score && known.program == program) return known.iteration;
  return std::nullopt;
}

std::string regime_of(const std::string& source) {
  static const std::pair<const char*, std::regex> means[] = {
      {"tiles", std::regex(R"(\bthreadgroup\s+\w)")},
      {"simdgroups", std::regex(R"(\b(simd_\w+|simdgroup_\w+|quad_\w+)\s*[(<])")},
      {"vectors", std::regex(R"((device|constant)\s+(const\s+)?(packed_)?\w+[234]\s*\*)")},
  };
  const auto text = without_comments(source);
  std::string regime;
  for (const auto& [name, pattern] : means)
    if (std::regex_search(text, pattern)) regime += (regime.empty() ? "" : "+") + std::string(name);
  return regime.empty() ? "plain" : regime;
}

std::string features_of(const EvaluationResult& judgement) {
  const auto& sizes = judgement.sizes();
  if (sizes.empty() || !sizes.back().predicted) return "";
  const auto& predicted = *sizes.back().predicted;
  return fmt::format(", {} threads, {} registers, 2^{:.0f} bytes", predicted.threads,
                     std::bit_ceil(predicted.registers),
                     std::log2(std::max(predicted.traffic, 1.0)));
}

std::string to_json(const History& history) { return to_line(json_of(history)); }

std::string to_json(const HistorySummary& summary, const History& history) {
  Usage usage;
  for (const auto& record : history) usage += record.usage;
  const auto seed_score = history.front().score;
  const auto& best = incumbent(history);
  return dumped({{"task", summary.task},
                 {"model", summary.label.empty() ? summary.generator : summary.label},
                 {"generator", summary.generator},
                 {"chip", summary.device},
                 {"scoring", summary.scoring},
                 {"strategy", summary.strategy},
                 {"seed", summary.seed},
                 {"n_iterations", history.size() - 1},
                 {"seed_score", or_null(seed_score)},
                 {"best_score", or_null(best.score)},
                 {"best_iteration", best.iteration},
                 {"usage", json_of(usage)},
                 {"history", json_of(history)}});
}

}  // namespace msci::search
