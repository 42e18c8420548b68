#include "lint/analysis/flow/changed_variables.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "lint/analysis/flow/thread_flow.h"

namespace msci {
namespace {

class Changed : public ChangedPlaces {
 public:
  VariableSet variables;

  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
    if (call->isAssignmentOp() && call->getNumArgs() > 0) add(*call->getArg(0));
    return true;
  }

 private:
  void add(const clang::Expr& place) override {
    if (const auto* variable = root_variable(&place)) variables.insert(variable);
  }
  void add_pointer(const clang::Expr& pointer) override { add(pointer); }
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

bool ChangedPlaces::VisitBinaryOperator(clang::BinaryOperator* op) {
  if (op->isAssignmentOp()) add(*op->getLHS());
  return true;
}

bool ChangedPlaces::VisitUnaryOperator(clang::UnaryOperator* op) {
  if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) add(*op->getSubExpr());
  return true;
}

bool ChangedPlaces::VisitCallExpr(clang::CallExpr* call) {
  const auto* callee = call->getDirectCallee();
  if (!callee) return true;
  for (unsigned i = 0; i < std::min(call->getNumArgs(), callee->getNumParams()); ++i) {
    const auto type = callee->getParamDecl(i)->getType();
    const auto pointee = type->getPointeeType();
    if (pointee.isNull() || pointee.isConstQualified()) continue;
    if (type->isReferenceType())
      add(*call->getArg(i));
    else
      add_pointer(*call->getArg(i));
  }
  return true;
}

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
