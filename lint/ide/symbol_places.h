// Where symbols are declared, so that other sources find them, too.
#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/unit.h"
#include "lint/ide/names.h"

namespace msci {

// What a symbol is called and where it is declared: by this, another source finds it, too.
struct SymbolPlace {
  std::string name;
  std::string file;           // as the compiler reads it
  Location place;             // in that file
  bool is_shared = false;     // other sources may name it: it does not belong to a function
  bool is_from_file = false;  // declared in an included file rather than in the source
  bool operator==(const SymbolPlace&) const = default;
};

// Where a symbol is declared that symbol_of() returned; an empty file where Metal declares it.
SymbolPlace place_of(const Unit& unit, const clang::NamedDecl& symbol);

// The symbol that is declared there; null if the unit does not name it.
const clang::NamedDecl* symbol_at(const Unit& unit, const WrittenNames& names,
                                  const SymbolPlace& place);

}  // namespace msci
