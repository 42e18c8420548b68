// The outline of a source: what it declares.
#pragma once

#include <string>
#include <vector>

#include "frontend/included_files.h"
#include "frontend/unit.h"

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
  Range range;         // the whole declaration; contains `name_range`
  Range name_range;
  std::vector<Symbol> members = {};
};

// The declarations that the source itself contains, in order, without those of included files.
std::vector<Symbol> symbols_of(const Unit& unit);
// Those of a file that it includes, at places of that file.
std::vector<Symbol> symbols_of(const Unit& unit, const IncludedFile& file);

}  // namespace msci
