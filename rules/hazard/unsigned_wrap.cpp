#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

#include "lint/analysis/indices/index_form.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Whether threads go on to the rest where a test holds, rather than leave or stay away; nothing
// where that is not decided right here.
std::optional<bool> goes_on(const clang::BinaryOperator& test, const ThreadFlow& flow) {
  bool holds = true;
  const clang::Stmt* at = &test;
  for (const auto* around = flow.parent(at); around; at = around, around = flow.parent(at)) {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(around)) {
      if (branch->getCond() != at) return std::nullopt;
      const auto* exit = flow.exit_under(branch->getCond());
      if (exit) return flow.contains(branch->getThen(), exit) ? !holds : holds;
      return branch->getElse() ? std::nullopt : std::optional(holds);
    }
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(around);
    if (unary && unary->getOpcode() == clang::UO_LNot) holds = !holds;
    if (!llvm::isa<clang::Expr>(around) || llvm::isa<clang::ConditionalOperator>(around)) break;
  }
  return std::nullopt;
}

// `i`, or `i + 1`: grows with the position. What a function makes of it may not.
bool is_position(const IndexForm& side, const ThreadFlow& flow) {
  const auto atoms = side.atoms();
  if (side.constant() < 0 || atoms.size() != 1) return false;
  const auto& atom = atoms.front();
  const auto& [product, count] = *side.terms.rbegin();
  return side.terms.size() == (side.constant() ? 2 : 1) && count == 1 && product.size() == 1 &&
         !has_call(atom.variable ? flow.only_value(atom.variable) : atom.expression);
}

// Whether the test has a branch for either answer.
bool has_else(const clang::BinaryOperator& test, const ThreadFlow& flow) {
  const clang::Stmt* at = &test;
  for (const auto* around = flow.parent(at); around; at = around, around = flow.parent(at)) {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(around))
      return branch->getCond() == at && branch->getElse();
    if (!llvm::isa<clang::Expr>(around)) return false;
  }
  return false;
}

// `i < n` and `i + 1 >= n` say nothing about the lower end of i.
bool is_upper_bound(const clang::BinaryOperator& test, const ThreadFlow& flow) {
  if (!test.getLHS()->getType()->isIntegerType() || has_else(test, flow)) return false;
  auto position = index_form(test.getLHS(), flow), bound = index_form(test.getRHS(), flow);
  auto operation = test.getOpcode();
  if (!is_position(position, flow) || !bound.varying().terms.empty()) {
    std::swap(position, bound);
    if (test.isRelationalOp()) operation = clang::BinaryOperator::reverseComparisonOp(operation);
  }
  if (!is_position(position, flow) || !bound.varying().terms.empty()) return false;
  // `i == n - 1` asks for the upper edge.
  if (test.isEqualityOp()) return !bound.is_constant();
  if (bound.is_constant() && bound.constant() <= position.constant() + 1) return false;
  const auto on = goes_on(test, flow);
  if (operation == clang::BO_LT || operation == clang::BO_LE) return on.value_or(true);
  return !on.value_or(operation == clang::BO_GT);
}

// Variables that some test might keep away from zero: every one in a test other than an upper
// bound.
class Tested : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Tested(const ThreadFlow& flow) : flow_(flow) {}

  bool VisitBinaryOperator(clang::BinaryOperator* binary) override {
    if (binary->isComparisonOp() && !is_upper_bound(*binary, flow_)) mark(binary);
    return true;
  }
  // `inside(p, n)`: any test may be in there.
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* callee = call->getDirectCallee();
    const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    if ((operation && operation->isComparisonOp()) ||
        (callee && callee->getReturnType()->isBooleanType() &&
         flow_.unit().is_users(callee->getLocation())))
      mark(call);
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_IntegralToBoolean) mark(cast);
    return true;
  }
  bool VisitSwitchStmt(clang::SwitchStmt* choice) override {
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
        if (atom.divergence != Divergence::none || !atom.fixed || !atom.variable) return false;
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

// Whether a comparison says that the index is at least zero: `i - n` where `i < n` does not hold.
bool is_excluded(const clang::BinaryOperator& test, bool holds, const IndexForm& index,
                 const ThreadFlow& flow) {
  if (!test.isRelationalOp() || !test.getLHS()->getType()->isIntegerType()) return false;
  const auto operation =
      holds ? test.getOpcode() : clang::BinaryOperator::negateComparisonOp(test.getOpcode());
  const bool is_upper = operation == clang::BO_LT || operation == clang::BO_LE;
  const auto left = index_form(test.getLHS(), flow), right = index_form(test.getRHS(), flow);
  const auto rest = index - (is_upper ? right - left : left - right);
  const bool is_strict = operation == clang::BO_LT || operation == clang::BO_GT;
  return rest.is_constant() && rest.constant() >= (is_strict ? -1 : 0);
}
// By one of the conditions around it.
bool is_excluded(const clang::Expr& subscript, const IndexForm& index, const ThreadFlow& flow) {
  for (const auto& guard : flow.guards(&subscript))
    if (const auto* test =
            llvm::dyn_cast<clang::BinaryOperator>(guard.condition->IgnoreParenImpCasts());
        test && is_excluded(*test, guard.taken, index, flow))
      return true;
  return false;
}

bool is_unsigned(const clang::Expr* index) {
  return index->IgnoreParenImpCasts()->getType()->isUnsignedIntegerType();
}

void check_unsigned_wrap(const ThreadFlow& flow, Reporter& report) {
  Tested tested(flow);
  tested.TraverseStmt(flow.function().getBody());
  std::set<const clang::VarDecl*> told;
  for (const auto* statement : flow.statements()) {
    const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(statement);
    if (!subscript || !is_unsigned(subscript->getIdx())) continue;
    const auto* memory = root_variable(subscript->getBase());
    if (!memory || told.contains(memory)) continue;
    const auto form = index_form(subscript->getIdx(), flow);
    if (!wraps_at_start(form, tested) || is_excluded(*subscript, form, flow)) continue;
    told.insert(memory);
    report(subscript->getIdx()->getSourceRange(),
           "wraps around to a huge index for the first threads, and no test excludes them");
  }
}

bool is_stride(const clang::ValueDecl& declaration) {
  return declaration.getType().getNonReferenceType()->isSignedIntegerOrEnumerationType() &&
         llvm::StringRef(declaration.getNameAsString()).contains_insensitive("stride");
}

// A stride from the host in a product or sum: strides of reversed rows are negative.
bool has_stride(const clang::Expr& value, const ThreadFlow& flow, unsigned depth = 0) {
  constexpr unsigned deepest = 6;
  const auto* e = value.IgnoreParenCasts();
  if (depth == deepest) return false;
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(e))
    return (operation->isAdditiveOp() || operation->getOpcode() == clang::BO_Mul) &&
           (has_stride(*operation->getLHS(), flow, depth + 1) ||
            has_stride(*operation->getRHS(), flow, depth + 1));
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
    return is_stride(*member->getMemberDecl());
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (!variable) return false;
  if (llvm::isa<clang::ParmVarDecl>(variable)) return is_stride(*variable);
  const auto* made = flow.only_value(variable);
  return made && variable->getType()->isSignedIntegerType() && has_stride(*made, flow, depth + 1);
}

// The signed part of an unsigned sum of 32 bits that may be negative.
const clang::Expr* negative_part(const clang::Expr& sum, const ThreadFlow& flow) {
  const auto& ast = flow.unit().ast();
  const auto* e = sum.IgnoreParens();
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) {
    const auto from = cast->getSubExpr()->getType();
    const bool turns = cast->getCastKind() == clang::CK_IntegralCast &&
                       from->isSignedIntegerType() && cast->getType()->isUnsignedIntegerType() &&
                       ast.getTypeSize(from) == 32 && ast.getTypeSize(cast->getType()) == 32;
    if (turns && has_stride(*cast->getSubExpr(), flow)) return cast->getSubExpr();
    return nullptr;
  }
  const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!operation || !operation->isAdditiveOp() || !operation->getType()->isUnsignedIntegerType())
    return nullptr;
  const auto* left = negative_part(*operation->getLHS(), flow);
  return left ? left : negative_part(*operation->getRHS(), flow);
}

// `in += row * stride + lane`, where the stride is signed and the lane is not.
void check_moves(const ThreadFlow& flow, Reporter& report) {
  for (const auto* statement : flow.statements()) {
    const auto* move = llvm::dyn_cast<clang::BinaryOperator>(statement);
    if (!move || !move->getType()->isPointerType()) continue;
    const auto operation = move->getOpcode();
    if (operation != clang::BO_Add && operation != clang::BO_AddAssign) continue;
    for (const auto* offset : {move->getLHS(), move->getRHS()}) {
      if (offset->getType()->isPointerType()) continue;
      const auto* part = negative_part(*offset->IgnoreParens(), flow);
      if (!part) continue;
      report(part->getSourceRange(),
             "becomes unsigned in this sum: a negative stride moves the pointer far beyond the "
             "buffer")
          .note(offset->getSourceRange(), "the sum has 32 bits, and the pointer 64");
    }
  }
}

}  // namespace

extern constinit const Rule unsigned_wrap{
    .check_flow =
        [](const ThreadFlow& flow, Reporter& report) {
          check_unsigned_wrap(flow, report);
          check_moves(flow, report);
        },
};

}  // namespace msci
