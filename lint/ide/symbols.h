// The outline of a source: what it declares.
#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

enum class SymbolKind {
  constant,
  enumeration,
  enumerator,
  field,
  function,
  method,
  name_space,
  structure,
  type,
};

struct Symbol {
  std::string name;
  SymbolKind kind = SymbolKind::function;
  std::string detail;  // "kernel" for one; otherwise empty
  Range range;         // in its file: the whole declaration; contains `name_range`
  Range name_range;
  std::vector<Symbol> members = {};
};

// The declarations of a file, in order: the source itself, or an included one (Place::file).
std::vector<Symbol> symbols_of(const Unit& unit, const std::string& file = {});

}  // namespace msci
