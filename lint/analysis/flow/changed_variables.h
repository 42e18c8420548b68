// The variables that a part of a function declares, changes and names.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Stmt.h>

#include <set>

namespace msci {

using VariableSet = std::set<const clang::ValueDecl*>;

// Finds the places that a part may change: what it assigns to, counts, takes the address of, and
// gives to a function by reference.
class ChangedPlaces : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitBinaryOperator(clang::BinaryOperator* op) override;
  bool VisitUnaryOperator(clang::UnaryOperator* op) override;
  bool VisitCallExpr(clang::CallExpr* call) override;

 private:
  virtual void add(const clang::Expr& place) = 0;
  // What a function is given a pointer to.
  virtual void add_pointer(const clang::Expr&) {}
};

// The variables that a part declares.
VariableSet declared_in(const clang::Stmt& part);
// The variables that a part assigns to, whose members or elements it assigns to, of which it takes
// the address, and which it gives a function that may write to them.
VariableSet changed_in(const clang::Stmt& part);
// Whether a part names one of the variables. False for null.
bool mentions_any(const clang::Stmt* part, const VariableSet& variables);

}  // namespace msci
