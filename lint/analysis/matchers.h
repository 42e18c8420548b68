// Metal words for Clang's AST matchers, and matching as a loop instead of a callback.
#pragma once

#include <clang/ASTMatchers/ASTMatchFinder.h>
#include <clang/ASTMatchers/ASTMatchers.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/unit.h"

namespace msci {

// Metal's address spaces; what is written without one is in `thread`.
enum class Space { thread, device, constant, threadgroup };

// The space of an object of this type; of an array, that of its elements.
Space space_of(clang::QualType type);

// Whether two expressions say the same, up to parentheses and implicit conversions.
bool is_same(const clang::Expr& a, const clang::Expr& b, const clang::ASTContext& ast);

// The value of a constant integer expression; nothing for null and for any other.
std::optional<std::int64_t> constant_of(const clang::Expr* value, const clang::ASTContext& ast);

using Match = clang::ast_matchers::BoundNodes;

// Everything in the user's text that one matcher finds, in the order of a walk; for rules, while
// lint() keeps walks to that text. Nodes are as in Clang's tree (TK_AsIs); isDerivedFrom knows no
// typedefs.
std::vector<Match> match(const clang::ast_matchers::DeclarationMatcher& matcher, const Unit& unit);
std::vector<Match> match(const clang::ast_matchers::StatementMatcher& matcher, const Unit& unit);
std::vector<Match> match(const clang::ast_matchers::TypeLocMatcher& matcher, const Unit& unit);
// The same, but templates as they are written, without their instances. Clang's own matcher for
// that needs the parents of all nodes, of all instances, which costs a tenth of the time for a
// library.
std::vector<Match> match_as_written(const clang::ast_matchers::StatementMatcher& matcher,
                                    const Unit& unit);

}  // namespace msci
