// The names in a source, and what they refer to.
#pragma once

#include <functional>
#include <vector>

#include "lint/metal/unit.h"

namespace clang {
class NamedDecl;
class SourceLocation;
}  // namespace clang

namespace msci {

using NameVisitor = std::function<void(clang::SourceLocation, const clang::NamedDecl&)>;

// Calls `visit` for each name in the user's declarations, with the declaration that it refers to.
// An instantiation, which knows more than its template, comes after it.
void for_each_name(const Unit& unit, const NameVisitor& visit);

// The declaration that the name at a place of the unit refers to; null if Clang resolves none. The
// type of an instantiation takes precedence over that of its template.
const clang::NamedDecl* declaration_at(const Unit& unit, Location location);

// Where the source has the name of this declaration, in order, each place once.
std::vector<Range> occurrences_of(const Unit& unit, const clang::NamedDecl& declaration);

}  // namespace msci
