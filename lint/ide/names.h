// The names in a source and the files that it includes, and what they refer to.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "compiler/frontend/unit.h"

namespace clang {
class NamedDecl;
class SourceLocation;
}  // namespace clang

namespace msci {

using NameVisitor = std::function<void(clang::SourceLocation, const clang::NamedDecl&)>;

// Calls `visit` for each name in the user's declarations, with the declaration that it refers to.
// An instantiation, which knows more than its template, comes after it. A name that may refer to
// several functions comes once for each.
void for_each_name(const Unit& unit, const NameVisitor& visit);

// The declaration that the name at a location of the source refers to; null if Clang resolves none.
// The type of an instantiation takes precedence over that of its template.
const clang::NamedDecl* declaration_at(const Unit& unit, Location location);

// The first declaration of what a programmer takes for one thing: a template, its specialisations
// and its instances; a structure and its constructors; a name and what a `using` brings in.
const clang::NamedDecl& symbol_of(const clang::NamedDecl& declaration);

// The declaration of a function, structure or enumeration that defines it, which may stand behind
// the one that announces it; otherwise the declaration itself.
const clang::NamedDecl& definition_of(const clang::NamedDecl& declaration);

// Whether two declarations that symbol_of() returned are of one thing.
bool is_same_symbol(const clang::NamedDecl& a, const clang::NamedDecl& b);

// A name in a source, and what symbol_of() returns for what it refers to. It has several symbols
// where instances of a template differ, or where an uninstantiated one could call several
// functions.
struct WrittenName {
  Place place;
  std::vector<const clang::NamedDecl*> symbols;

  bool may_be(const clang::NamedDecl& symbol) const;
};

struct WrittenNames {
  // By place, each once: those of the source, then those of included files.
  std::vector<WrittenName> names;
  // In the bodies of the user's macros. A name that a macro makes of parts stands where the macro
  // is used.
  std::vector<WrittenName> in_macros;
  std::set<Place> elements;  // of vectors: the names v.x and v.xyz, which Clang resolves itself

  const WrittenName* at(const Place& place) const;
};

// Locates places in all files that the source includes, in the order of inclusion, so that
// Unit::included_files() has them.
void locate_all_files(const Unit& unit);

WrittenNames written_names(const Unit& unit);

// The places of a symbol's names, in order: in the source, and in included files.
std::vector<Place> references_to(const Unit& unit, const clang::NamedDecl& symbol);

// Where the source has the name of this declaration, in order, each place once.
std::vector<Range> occurrences_of(const Unit& unit, const clang::NamedDecl& declaration);

}  // namespace msci
