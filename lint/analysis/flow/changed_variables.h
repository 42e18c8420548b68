// The variables that a part of a function declares, changes and names.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <set>

namespace msci {

using VariableSet = std::set<const clang::ValueDecl*>;

// The variables that a part declares.
VariableSet declared_in(const clang::Stmt& part);
// The variables that a part assigns to, whose members or elements it assigns to, of which it takes
// the address, and which it gives a function that may write to them.
VariableSet changed_in(const clang::Stmt& part);
// Whether a part names one of the variables. False for null.
bool mentions_any(const clang::Stmt* part, const VariableSet& variables);

}  // namespace msci
