#include <clang/AST/Decl.h>

#include <algorithm>

#include "lint/ide/features.h"
#include "lint/ide/names.h"

namespace msci {
namespace {

bool encloses(const Range& outer, const Range& inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

void add_place(std::vector<Call>& calls, const CallNode* function, const Place& place) {
  auto known = std::ranges::find(calls, function, &Call::function);
  if (known == calls.end()) known = calls.insert(known, {function, {}});
  known->places.push_back(place);
}

void add_once(std::vector<const clang::NamedDecl*>& symbols, const clang::NamedDecl* symbol) {
  if (std::ranges::find(symbols, symbol) == symbols.end()) symbols.push_back(symbol);
}

}  // namespace

CallGraph::CallGraph(const Unit& unit) : unit_(unit) {
  locate_all_files(unit);
  add(symbols_of(unit), "");
  for (const auto* file : unit.included_files()) add(symbols_of(unit, file->name), file->name);
  for_each_name(unit, [&](clang::SourceLocation name, const clang::NamedDecl& declaration) {
    const auto& symbol = symbol_of(declaration);
    if (!llvm::isa<clang::FunctionDecl>(symbol) || !unit.is_users(symbol.getLocation())) return;
    const auto place = unit.locate(name);
    if (place.is_known()) add_once(names_[place], &symbol);
  });
}

void CallGraph::add(const std::vector<Symbol>& symbols, const std::string& file) {
  for (const auto& symbol : symbols) {
    if (symbol.kind == SymbolKind::function || symbol.kind == SymbolKind::method) {
      by_name_.emplace(Place{file, symbol.name_range}.start(), functions_.size());
      functions_.push_back({symbol, file});
    }
    add(symbol.members, file);
  }
}

const CallNode* CallGraph::definition_of(const clang::NamedDecl& function) const {
  const auto place = unit_.locate(msci::definition_of(function).getLocation());
  const auto found = by_name_.find(place.start());
  return found == by_name_.end() ? nullptr : &functions_[found->second];
}

const CallNode* CallGraph::function_around(const Place& place) const {
  const CallNode* found = nullptr;
  for (const auto& each : functions_)
    if (each.file == place.file && encloses(each.symbol.range, place.range) &&
        (!found || encloses(found->symbol.range, each.symbol.range)))
      found = &each;
  return found;
}

const CallNode* CallGraph::named_at(Location location) const {
  const auto* found = declaration_at(unit_, location);
  return found ? definition_of(symbol_of(*found)) : nullptr;
}

std::vector<Call> CallGraph::callers_of(const CallNode& function) const {
  std::vector<Call> calls;
  const auto named = names_.find({function.file, function.symbol.name_range});
  if (named == names_.end()) return calls;  // a constructor
  const auto is_named = [&](const auto* symbol) {
    return std::ranges::find(named->second, symbol) != named->second.end();
  };
  for (const auto& [place, symbols] : names_)
    if (!is_declaration(place) && std::ranges::any_of(symbols, is_named))
      if (const auto* caller = function_around(place)) add_place(calls, caller, place);
  return calls;
}

std::vector<Call> CallGraph::callees_of(const CallNode& function) const {
  std::vector<Call> calls;
  for (const auto& [place, symbols] : names_) {
    if (is_declaration(place) || function_around(place) != &function) continue;
    for (const auto* symbol : symbols)
      if (const auto* callee = definition_of(*symbol)) add_place(calls, callee, place);
  }
  return calls;
}

}  // namespace msci
