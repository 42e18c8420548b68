#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Every parameter that some test, limit or remainder looks at, also by way of variables.
class Looked : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitBinaryOperator(clang::BinaryOperator* binary) override {
    const auto operation = binary->getOpcode();
    if (binary->isComparisonOp() || operation == clang::BO_Rem ||
        operation == clang::BO_RemAssign || operation == clang::BO_And ||
        operation == clang::BO_AndAssign)
      mark(binary);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    mark(call);
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_IntegralToBoolean) mark(cast);
    return true;
  }

  std::set<const clang::VarDecl*> variables;

 private:
  void mark(const clang::Stmt* part) {
    if (!part) return;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
          variable && variables.insert(variable).second)
        mark(variable->getInit());
    for (const auto* child : part->children()) mark(child);
  }
};

// The grid's own size: no position lies beyond it.
bool is_grid_size(const clang::VarDecl& variable, const Unit& unit) {
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&variable);
  return parameter && (unit.attribute(*parameter, "threads_per_grid") ||
                       unit.attribute(*parameter, "grid_size"));
}

// The size that a place on the grid is multiplied with, where no test looks at either.
const Atom* unlooked_size(const IndexForm& form, const Looked& looked, const Unit& unit) {
  const Atom* size = nullptr;
  for (const auto& [product, count] : form.terms)
    for (const auto& atom : product) {
      if (!atom.variable || !atom.fixed || looked.variables.contains(atom.variable) ||
          is_grid_size(*atom.variable, unit))
        return nullptr;
      if (atom.position == Position::none && product.size() == 2) size = &atom;
    }
  return size;
}

bool is_on_grid(const IndexForm& form) {
  const auto atoms = form.varying().atoms();
  return std::any_of(atoms.begin(), atoms.end(),
                     [](const Atom& atom) { return atom.position == Position::in_grid; });
}

void check_missing_guard(const ThreadFlow& flow, Reporter& report) {
  Looked looked;
  looked.TraverseStmt(flow.function().getBody());
  const auto accesses = accesses_in(flow, Space::device);
  for (const auto& access : accesses.all) {
    if (!access.writes || access.indices.size() != 1 || !is_on_grid(access.indices.front()))
      continue;
    const auto* size = unlooked_size(access.indices.front(), looked, flow.unit());
    if (!size || !llvm::isa<clang::ParmVarDecl>(size->variable)) continue;
    report(access.place->getSourceRange(),
           "no test prevents threads beyond the end from writing here")
        .note(size->variable->getLocation(), "no position is ever compared with this size");
    return;
  }
}

}  // namespace

extern constinit const Rule missing_guard{
    .severity = Severity::note,
    .check_flow = check_missing_guard,
};

}  // namespace msci
