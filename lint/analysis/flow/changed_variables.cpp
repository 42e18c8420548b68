#include "lint/analysis/flow/changed_variables.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "lint/analysis/flow/thread_flow.h"

namespace msci {
namespace {

class Changed : public clang::DynamicRecursiveASTVisitor {
 public:
  VariableSet variables;

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp()) add(*op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) add(*op->getSubExpr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
    if (call->isAssignmentOp() && call->getNumArgs() > 0) add(*call->getArg(0));
    return true;
  }
  // What a function is given by reference, it may change.
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* callee = call->getDirectCallee();
    if (!callee) return true;
    for (unsigned i = 0; i < std::min(call->getNumArgs(), callee->getNumParams()); ++i) {
      const auto type = callee->getParamDecl(i)->getType();
      const auto pointee = type->getPointeeType();
      if (!pointee.isNull() && !pointee.isConstQualified()) add(*call->getArg(i));
    }
    return true;
  }

 private:
  void add(const clang::Expr& place) {
    if (const auto* variable = root_variable(&place)) variables.insert(variable);
  }
};

class Declared : public clang::DynamicRecursiveASTVisitor {
 public:
  VariableSet variables;
  bool VisitVarDecl(clang::VarDecl* variable) override {
    variables.insert(variable);
    return true;
  }
};

}  // namespace

VariableSet declared_in(const clang::Stmt& part) {
  Declared declared;
  declared.TraverseStmt(const_cast<clang::Stmt*>(&part));
  return declared.variables;
}

VariableSet changed_in(const clang::Stmt& part) {
  Changed changed;
  changed.TraverseStmt(const_cast<clang::Stmt*>(&part));
  return changed.variables;
}

bool mentions_any(const clang::Stmt* part, const VariableSet& variables) {
  if (!part) return false;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part);
  return (name && variables.contains(name->getDecl())) ||
         std::any_of(part->child_begin(), part->child_end(),
                     [&](const clang::Stmt* child) { return mentions_any(child, variables); });
}

}  // namespace msci
