#include "lint/ide/protocol/replies.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci {
namespace {

// The protocol's number of a kind of completion.
int number_of(CompletionKind kind) {
  switch (kind) {
    case CompletionKind::attribute:
      return 10;  // a property
    case CompletionKind::enumerator:
      return 20;
    case CompletionKind::field:
      return 5;
    case CompletionKind::function:
      return 3;
    case CompletionKind::header:
      return 17;  // a file
    case CompletionKind::keyword:
      return 14;
    case CompletionKind::macro:
      return 21;  // a constant
    case CompletionKind::method:
      return 2;
    case CompletionKind::name_space:
      return 9;  // a module
    case CompletionKind::type:
      return 7;  // a class
    case CompletionKind::variable:
      return 6;
  }
  return 1;  // text
}

}  // namespace

int number_of(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::constant:
      return 14;
    case SymbolKind::enumeration:
      return 10;
    case SymbolKind::enumerator:
      return 22;
    case SymbolKind::field:
      return 8;
    case SymbolKind::function:
      return 12;
    case SymbolKind::method:
      return 6;
    case SymbolKind::name_space:
      return 3;
    case SymbolKind::structure:
      return 23;
    case SymbolKind::type:
      return 5;  // a class
  }
  return 13;  // a variable
}

Json symbols_json(const std::vector<Symbol>& symbols, const Converter& converter) {
  Json json = Json::array();
  for (const auto& symbol : symbols) {
    Json each{{"name", symbol.name},
              {"kind", number_of(symbol.kind)},
              {"range", converter.range(symbol.range)},
              {"selectionRange", converter.range(symbol.name_range)},
              {"children", symbols_json(symbol.members, converter)}};
    if (!symbol.detail.empty()) each["detail"] = symbol.detail;
    json.push_back(std::move(each));
  }
  return json;
}

Json completion_items(const std::vector<Completion>& completions) {
  Json items = Json::array();
  for (const auto& completion : completions) {
    Json item{{"label", completion.name},
              {"kind", number_of(completion.kind)},
              {"sortText", fmt::format("{:05}", items.size())}};
    if (!completion.detail.empty()) item["detail"] = completion.detail;
    if (!completion.meaning.empty()) item["documentation"] = completion.meaning;
    items.push_back(std::move(item));
  }
  return items;
}

Json signatures_json(const SignatureHelp& help, ColumnUnit unit) {
  if (help.signatures.empty()) return nullptr;
  Json signatures = Json::array();
  unsigned active = 0;
  for (const auto& signature : help.signatures) {
    Json parameters = Json::array();
    for (const auto& [begin, end] : signature.parameters)
      parameters.push_back({{"label",
                             {columns_before(begin, signature.label, unit),
                              columns_before(end, signature.label, unit)}}});
    Json each{{"label", signature.label}, {"parameters", std::move(parameters)}};
    if (!signature.meaning.empty()) each["documentation"] = signature.meaning;
    signatures.push_back(std::move(each));
    // The first that has as many parameters as the call until now.
    if (help.signatures[active].parameters.size() <= help.active_parameter &&
        signature.parameters.size() > help.active_parameter)
      active = static_cast<unsigned>(signatures.size() - 1);
  }
  return {{"signatures", std::move(signatures)},
          {"activeSignature", active},
          {"activeParameter", help.active_parameter}};
}

Json difference_json(const Json& before, const Json& after) {
  const auto shorter = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  Json edits = Json::array();
  if (head == before.size() && head == after.size()) return edits;
  Json data = Json::array();
  for (auto i = head; i < after.size() - tail; ++i) data.push_back(after[i]);
  edits.push_back(
      {{"start", head}, {"deleteCount", before.size() - tail - head}, {"data", std::move(data)}});
  return edits;
}

}  // namespace msci
