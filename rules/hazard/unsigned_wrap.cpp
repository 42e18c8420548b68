#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include "lint/analysis/index_form.h"
#include "lint/rule.h"

namespace msci {
namespace {

// `i < n` and `i >= n` say nothing about the lower end of i.
bool is_upper_bound(const clang::BinaryOperator& test, const ThreadFlow& flow) {
  const auto operation = test.getOpcode();
  const auto plain = [&](const clang::Expr* side) {
    const auto form = index_form(side, flow);
    return form.terms.size() == 1 && form.terms.begin()->second == 1 && form.constant() == 0;
  };
  const auto at_least_two = [&](const clang::Expr* side) {
    const auto form = index_form(side, flow);
    return form.varying().terms.empty() && (!form.is_constant() || form.constant() > 1);
  };
  if (!test.getLHS()->getType()->isIntegerType()) return false;
  if (operation == clang::BO_LT || operation == clang::BO_GE)
    return plain(test.getLHS()) && at_least_two(test.getRHS());
  if (operation == clang::BO_GT || operation == clang::BO_LE)
    return plain(test.getRHS()) && at_least_two(test.getLHS());
  // `i == n - 1` asks for the upper edge.
  const auto is_size = [&](const clang::Expr* side) {
    const auto form = index_form(side, flow);
    return form.varying().terms.empty() && !form.is_constant();
  };
  if (operation == clang::BO_EQ || operation == clang::BO_NE)
    return (plain(test.getLHS()) && is_size(test.getRHS())) ||
           (plain(test.getRHS()) && is_size(test.getLHS()));
  return false;
}

// Variables that some test might keep away from zero: every one in a test that is no upper bound.
class Tested : public clang::RecursiveASTVisitor<Tested> {
 public:
  explicit Tested(const ThreadFlow& flow) : flow_(flow) {}

  bool VisitBinaryOperator(clang::BinaryOperator* binary) {
    if (binary->isComparisonOp() && !is_upper_bound(*binary, flow_)) mark(binary);
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
    if (call->isComparisonOp()) mark(call);
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    if (cast->getCastKind() == clang::CK_IntegralToBoolean) mark(cast);
    return true;
  }
  bool VisitSwitchStmt(clang::SwitchStmt* choice) {
    mark(choice->getCond());
    return true;
  }

  bool contains(const Atom& atom) const {
    return variables_.contains(atom.variable) || components_.contains({atom.variable, atom.text});
  }

 private:
  void mark(const clang::Stmt* part) {
    if (!part) return;
    // One component of a position.
    if (const auto* element = llvm::dyn_cast<clang::ExtVectorElementExpr>(part))
      if (const auto form = index_form(element, flow_);
          form.terms.size() == 1 && form.atoms().size() == 1 && form.atoms().front().variable) {
        components_.insert({form.atoms().front().variable, form.atoms().front().text});
        return;
      }
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
          variable && variables_.insert(variable).second)
        // What the variable was made of has been tested with it.
        mark(flow_.only_value(variable));
    for (const auto* child : part->children()) mark(child);
  }

  const ThreadFlow& flow_;
  std::set<const clang::VarDecl*> variables_;
  std::set<std::pair<const clang::VarDecl*, std::string>> components_;
};

// Whether the index is -1, or less than one row, for the first thread: everything positive in it
// is a grid position that starts at zero.
bool wraps_at_start(const IndexForm& form, const Tested& tested) {
  bool below = false, position = false;
  for (const auto& [product, count] : form.terms) {
    if (count > 0 && product.empty()) return false;
    if (count < 0) {
      // Only what is the same for all is taken away: 1, or a row's length.
      for (const auto& atom : product)
        if (atom.variation != Variation::none || !atom.fixed || !atom.variable) return false;
      below = true;
      continue;
    }
    bool from_zero = false;
    for (const auto& atom : product) {
      if (!atom.fixed || !atom.variable || tested.contains(atom)) return false;
      from_zero = from_zero || atom.position == Position::in_grid;
    }
    if (!from_zero) return false;
    position = true;
  }
  return below && position;
}

bool is_unsigned(const clang::Expr* index) {
  return index->IgnoreParenImpCasts()->getType()->isUnsignedIntegerType();
}

void check_kernel(const ThreadFlow& flow, Reporter& report) {
  Tested tested(flow);
  tested.TraverseStmt(flow.function().getBody());
  std::set<const clang::VarDecl*> told;
  for (const auto* statement : flow.statements()) {
    const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(statement);
    if (!subscript || !is_unsigned(subscript->getIdx())) continue;
    const auto* memory = root_variable(subscript->getBase());
    if (!memory || told.contains(memory)) continue;
    const auto form = index_form(subscript->getIdx(), flow);
    if (!wraps_at_start(form, tested)) continue;
    told.insert(memory);
    report(subscript->getIdx()->getSourceRange(),
           "wraps around to a huge index for the first threads, which no test keeps away");
  }
}

}  // namespace

extern constinit const Rule unsigned_wrap{
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& kernel : unit.kernels())
            if (const auto* flow = thread_flow(*kernel.declaration, unit))
              check_kernel(*flow, report);
        },
};

}  // namespace msci
