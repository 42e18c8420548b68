// Which address space a source writes. Metal's `thread` leaves no trace in the AST, so the words of
// a declaration are read as they stand.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <optional>

#include "compiler/frontend/unit.h"

namespace clang {
class CXXMethodDecl;
class TypeLoc;
}  // namespace clang

namespace msci {

// From metal4.1 on, what is written without a space lies in the generic one, not in `thread`.
constexpr bool has_generic_space(LanguageVersion version) { return version.number >= 410; }

// `unknown` where words alone do not tell: a macro may hide a space, a declarator in parentheses
// may belong to another one.
enum class WrittenSpace { none, thread, other, unknown };

// Of what the pointer or reference declared by this '*', '&' or '&&' refers to.
WrittenSpace written_space(const Unit& unit, clang::SourceLocation star);

// The same for a pointer or reference type as it is declared. Unknown for other types, and where a
// template or `auto` brings the type along, with a space of its own perhaps.
WrittenSpace written_space(const Unit& unit, clang::TypeLoc declared);

// Of the object of a member function that is not static: what stands behind its parameters, as in
// `float at(int i) const thread`. Unknown for an implicit function.
WrittenSpace object_space(const Unit& unit, const clang::CXXMethodDecl& member);

// The token behind which the space of that object belongs: the ')' of the parameters, or `const`
// behind it. It may stand in the definition of a macro. Invalid for an implicit function.
clang::SourceLocation last_before_object_space(const Unit& unit,
                                               const clang::CXXMethodDecl& member);

}  // namespace msci
