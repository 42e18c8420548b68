// Matching with Clang's AST matchers as a loop instead of a callback. Only what matches includes
// this: Clang emits 200 classes of matchers, which take over a second to optimise, into every
// source that has seen their header.
#pragma once

#include <clang/ASTMatchers/ASTMatchFinder.h>
#include <clang/ASTMatchers/ASTMatchers.h>

#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

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
