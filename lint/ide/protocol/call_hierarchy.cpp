#include <algorithm>

#include "lint/ide/protocol/questions.h"

namespace msci {
namespace {

Json location_json(const Question& question, const Place& place) {
  return location_in(question.unit, place, question.converter, question.uri, question.open);
}

Json item_json(const Question& question, const CallNode& function) {
  const auto& symbol = function.symbol;
  auto item = location_json(question, {function.file, symbol.range});
  item["selectionRange"] = location_json(question, {function.file, symbol.name_range}).at("range");
  item["name"] = symbol.name;
  item["kind"] = number_of(symbol.kind);
  item["data"] = {{"uri", question.uri}};  // of the document that the calls are looked for in
  if (!symbol.detail.empty()) item["detail"] = symbol.detail;
  return item;
}

// The function of the request's item; null if the text has changed there.
const CallNode* function_in(const Question& question, const CallGraph& graph) {
  const auto& item = question.params.at("item");
  const auto& name = item.at("name").get_ref<const std::string&>();
  const auto found = std::ranges::find_if(graph.functions(), [&](const CallNode& each) {
    if (each.symbol.name != name) return false;
    const auto known = item_json(question, each);
    return known["uri"] == item.at("uri") && known["selectionRange"] == item.at("selectionRange");
  });
  return found == graph.functions().end() ? nullptr : &*found;
}

// `end`: what the protocol calls the other function of a call.
Json calls_json(const Question& question, const std::vector<Call>& calls, const char* end) {
  Json json = Json::array();
  for (const auto& call : calls) {
    Json ranges = Json::array();
    for (const auto& place : call.places)
      ranges.push_back(location_json(question, place).at("range"));
    json.push_back({{end, item_json(question, *call.function)}, {"fromRanges", std::move(ranges)}});
  }
  return json;
}

}  // namespace

namespace answers {

Json call_item(const Question& question) {
  const CallGraph graph(question.unit);
  const auto place = question.converter.location(question.params.at("position"));
  const auto* function = graph.named_at(place);
  return function ? Json::array({item_json(question, *function)}) : Json();
}

Json callers(const Question& question) {
  const CallGraph graph(question.unit);
  const auto* function = function_in(question, graph);
  return function ? calls_json(question, graph.callers_of(*function), "from") : Json();
}

Json callees(const Question& question) {
  const CallGraph graph(question.unit);
  const auto* function = function_in(question, graph);
  return function ? calls_json(question, graph.callees_of(*function), "to") : Json();
}

}  // namespace answers

}  // namespace msci
