// Results of requests as the protocol's JSON.
#pragma once

#include <vector>

#include "lint/ide/completion.h"
#include "lint/ide/protocol/converter.h"
#include "lint/ide/signature_help.h"
#include "lint/ide/symbols.h"

namespace msci {

// The protocol's number of a kind of symbol.
int number_of(SymbolKind kind);

Json symbols_json(const std::vector<Symbol>& symbols, const Converter& converter);

// The editor sorts by "sortText", which keeps our order. The label replaces the word.
Json completion_items(const std::vector<Completion>& completions);

// Columns in labels are counted in the editor's unit, too.
Json signatures_json(const SignatureHelp& help, ColumnUnit unit);

// One edit that makes the list `before` to `after`, in a list; an empty list if they are equal.
Json difference_json(const Json& before, const Json& after);

}  // namespace msci
