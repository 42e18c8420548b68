#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>

#include "lint/ide/features.h"

namespace msci {
namespace {

bool belongs_to_function(const clang::NamedDecl& symbol) {
  return symbol.getParentFunctionOrMethod() || symbol.isTemplateParameter();
}

}  // namespace

SymbolPlace place_of(const Unit& unit, const clang::NamedDecl& symbol) {
  SymbolPlace place{.name = symbol.getNameAsString(), .is_shared = !belongs_to_function(symbol)};
  const auto declared = unit.locate(symbol.getLocation());
  if (!declared.is_known()) return place;
  place.file = unit.source_of(declared).name;
  place.place = declared.range.begin;
  place.is_from_file = !declared.file.empty();
  return place;
}

const clang::NamedDecl* symbol_at(const Unit& unit, const WrittenNames& names,
                                  const SymbolPlace& place) {
  for (const auto* list : {&names.names, &names.in_macros})
    for (const auto& name : *list)
      for (const auto* symbol : name.symbols) {
        const auto here = place_of(unit, *symbol);
        if (here.name == place.name && here.file == place.file && here.place == place.place)
          return symbol;
      }
  return nullptr;
}

}  // namespace msci
