// Rename: another name for a symbol, wherever it is written.
#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/compile_options.h"
#include "lint/contract.h"
#include "lint/ide/symbol_places.h"

namespace msci {

// A name that can have another one.
struct Renamable {
  Range range;  // in the source
  SymbolPlace symbol;
};

// The name at a place of the source. Errors: what forbids to rename it, for a person: it is one of
// Metal's, of a macro or an attribute, a kernel that the contract states, or no name at all.
Result<Renamable> renamable_at(const Unit& unit, const Contract& contract, Location location);

// The places that have to change, file by file in order. Afterwards, the unit means what it meant:
// the edited text is parsed, and every name must refer to what it referred to. Changes nothing in
// macros. Errors: what makes the edit impossible, with its line: a word that the compiler cannot
// resolve, a use in the body of a macro, a new name that is not free. Nothing to change where the
// unit does not name the symbol.
Result<std::vector<Place>> rename(const Unit& unit, const CompileOptions& options,
                                  const SymbolPlace& symbol, const std::string& new_name);

}  // namespace msci
