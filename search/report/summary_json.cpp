
#include "base/json.h"
#include "search/report/summary.h"

namespace msci {
namespace {

template <typename T>
OrderedJson or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

OrderedJson to_value(const CascadeRates& rates) {
  return {{"STX", or_null(rates.syntax)},
          {"DEG", or_null(rates.degeneracy)},
          {"FNC", or_null(rates.function)},
          {"GEN", or_null(rates.generalisation)}};
}

OrderedJson to_value(const PerformanceTotal& performance) {
  OrderedJson kinds = OrderedJson::array();
  for (const auto& kind : performance.kinds)
    kinds.push_back({{"kind", kind.name}, {"candidates", kind.samples}, {"score", kind.score}});
  return {{"percent", or_null(performance.percent)}, {"kinds", kinds}};
}

OrderedJson to_value(const GroupSummary& group) {
  return {{"name", group.name},
          {"tasks", group.at_1.problems},
          {"candidates", group.at_1.samples},
          {"pass_at_1", to_value(group.at_1)},
          {"pass_at_k", group.at_k ? to_value(*group.at_k) : OrderedJson(nullptr)},
          {"performance", to_value(group.performance)}};
}

OrderedJson to_value(const std::vector<GroupSummary>& groups) {
  OrderedJson list = OrderedJson::array();
  for (const auto& group : groups) list.push_back(to_value(group));
  return list;
}

OrderedJson to_value(const std::optional<Ratio>& ratio) {
  if (!ratio) return nullptr;
  return {
      {"low", ratio->interval.low}, {"estimate", ratio->median}, {"high", ratio->interval.high}};
}

OrderedJson to_value(const RatedCandidate& candidate) {
  const auto& record = candidate.record;
  return {
      {"name", record.name},
      {"task", text_or_null(record.task)},
      {"device", text_or_null(record.device)},
      {"generator", text_or_null(record.generator)},
      {"run", text_or_null(record.run)},
      {"iteration", or_null(record.iteration)},
      {"passed", text_or_null(std::string(short_name(candidate.passed)))},
      {"strict", record.strict ? OrderedJson(record.strict->passed) : OrderedJson(nullptr)},
      {"score", or_null(record.score())},
      {"fail_reason", or_null(record.fail_reason())},
      {"is_new_best", record.iteration ? OrderedJson(record.is_new_best) : OrderedJson(nullptr)},
      {"speed_up", to_value(candidate.speed_up)},
      {"held_out_correct", or_null(record.is_right_held_out())},
      {"held_out_speed_up", to_value(candidate.held_out_speed_up)},
      {"silent_regression", candidate.is_silent_regression()}};
}

OrderedJson to_value(const TaskSummary& task, const Summary& summary) {
  return {{"task", task.task},
          {"regime", text_or_null(task.regime)},
          {"candidates", task.candidates},
          {"seed_score", or_null(task.seed_score)},
          {"best", task.best ? OrderedJson(summary.candidates[*task.best].record.name)
                             : OrderedJson(nullptr)},
          {"best_score", task.best ? or_null(summary.candidates[*task.best].record.score())
                                   : OrderedJson(nullptr)}};
}

OrderedJson to_value(const GateResult& gate) {
  return {{"verdict", to_string(gate.verdict)}, {"speed_up", to_value(gate.speed_up)}};
}

OrderedJson to_value(const Convergence& search) {
  OrderedJson steps = OrderedJson::array();
  for (const auto& step : search.steps)
    steps.push_back({{"iteration", step.iteration},
                     {"score", or_null(step.score)},
                     {"best", or_null(step.best)}});
  return {{"task", search.task},
          {"run", search.run},
          {"generator", text_or_null(search.generator)},
          {"steps", steps},
          {"gate", search.gate ? to_value(*search.gate) : OrderedJson(nullptr)}};
}

}  // namespace

std::string to_json(const Summary& summary) {
  OrderedJson json = {{"version", 2},
                      {"devices", summary.devices},
                      {"k", or_null(summary.k)},
                      {"total", to_value(summary.total)},
                      {"by_task", to_value(summary.by_task)},
                      {"by_regime", to_value(summary.by_regime)},
                      {"by_generator", to_value(summary.by_generator)},
                      {"tasks", OrderedJson::array()},
                      {"candidates", OrderedJson::array()},
                      {"searches", OrderedJson::array()},
                      {"diagnostics", OrderedJson::array()},
                      {"predictions", OrderedJson::array()},
                      {"unchecked", OrderedJson::array()}};
  for (const auto& task : summary.tasks) json["tasks"].push_back(to_value(task, summary));
  for (const auto& candidate : summary.candidates)
    json["candidates"].push_back(to_value(candidate));
  for (const auto& search : summary.searches) json["searches"].push_back(to_value(search));
  for (const auto& count : summary.diagnostics)
    json["diagnostics"].push_back({{"id", count.id},
                                   {"severity", count.severity},
                                   {"files", count.files},
                                   {"findings", count.findings}});
  for (const auto& check : check_predictions(judged(summary)))
    json["predictions"].push_back({{"task", check.task},
                                   {"chip", check.chip},
                                   {"device", check.device},
                                   {"kernels", check.kernels},
                                   {"rank_correlation", or_null(check.rank_correlation)},
                                   {"ratio", check.ratio}});
  for (const auto& record : summary.unchecked)
    json["unchecked"].push_back(
        {{"name", record.name}, {"error", std::get<Error>(record.result).message}});
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace msci
