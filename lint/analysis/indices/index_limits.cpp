#include "lint/analysis/indices/index_limits.h"

#include <clang/AST/Decl.h>

#include <algorithm>
#include <set>

#include "lint/analysis/bounds.h"
#include "lint/analysis/expressions.h"

namespace msci {
namespace {

class ConditionReader {
 public:
  ConditionReader(const ThreadFlow& flow, IndexLimits& limits) : flow_(flow), limits_(limits) {}

  void read(const clang::Expr* condition, bool holds) {
    condition = condition->IgnoreParenImpCasts();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(condition))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
        if (const auto* value = flow_.only_value(variable)) return read(value, holds);
    if (const auto* negated = llvm::dyn_cast<clang::UnaryOperator>(condition);
        negated && negated->getOpcode() == clang::UO_LNot)
      return read(negated->getSubExpr(), !holds);
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (binary && binary->getOpcode() == (holds ? clang::BO_LAnd : clang::BO_LOr)) {
      read(binary->getLHS(), holds);
      return read(binary->getRHS(), holds);
    }
    if (!binary || !binary->isComparisonOp() || !binary->getLHS()->getType()->isIntegerType())
      return limits_.others.push_back(condition);
    compare(*binary, holds);
  }

 private:
  void compare(const clang::BinaryOperator& test, bool holds) {
    const auto left = index_form(test.getLHS(), flow_), right = index_form(test.getRHS(), flow_);
    const auto operation =
        holds ? test.getOpcode() : clang::BinaryOperator::negateComparisonOp(test.getOpcode());
    const auto one = constant_form(1);
    const auto add = [&](IndexForm never_negative) {
      limits_.all.push_back({std::move(never_negative), &test});
    };
    switch (operation) {
      case clang::BO_LT:
        return add(right - left - one);
      case clang::BO_LE:
        return add(right - left);
      case clang::BO_GT:
        return add(left - right - one);
      case clang::BO_GE:
        return add(left - right);
      case clang::BO_EQ:
        add(right - left);
        return add(left - right);
      default:
        // An unsigned number that is not zero is at least one.
        if (right.is_constant() && right.constant() == 0) return add(left - one);
        limits_.others.push_back(&test);
    }
  }

  const ThreadFlow& flow_;
  IndexLimits& limits_;
};

void find_variables(const clang::Stmt* part, const ThreadFlow& flow,
                    std::set<const clang::VarDecl*>& found) {
  if (!part) return;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        variable && found.insert(variable).second)
      find_variables(flow.only_value(variable), flow, found);
  for (const auto* child : part->children()) find_variables(child, flow, found);
}

}  // namespace

std::vector<IndexForm> IndexLimits::upper(const IndexForm& value) const {
  std::vector<IndexForm> found;
  for (const auto& each : all) {
    const auto sum = each.never_negative + value;
    // It has the value once, and nothing of it is left in the sum.
    const bool is_about =
        std::any_of(value.terms.begin(), value.terms.end(), [&](const auto& term) {
          const auto in_limit = each.never_negative.terms.find(term.first);
          return !term.first.empty() && in_limit != each.never_negative.terms.end() &&
                 in_limit->second == -term.second && !sum.terms.contains(term.first);
        });
    if (is_about && std::find(found.begin(), found.end(), sum) == found.end()) found.push_back(sum);
  }
  return found;
}

std::vector<IndexForm> IndexLimits::lower(const IndexForm& value) const {
  std::vector<IndexForm> found;
  const auto negated = IndexForm{} - value;
  for (auto& each : upper(negated)) found.push_back(IndexForm{} - each);
  return found;
}

bool IndexLimits::may_limit(const IndexForm& value, const ThreadFlow& flow) const {
  std::set<const clang::VarDecl*> of_value, of_others;
  for (const auto& atom : value.atoms()) {
    if (atom.variable) of_value.insert(atom.variable);
    find_variables(atom.expression, flow, of_value);
  }
  for (const auto* each : others) find_variables(each, flow, of_others);
  return std::any_of(of_value.begin(), of_value.end(),
                     [&](const auto* each) { return of_others.contains(each); });
}

IndexForm form_of(const Atom& atom) {
  IndexForm form;
  form.terms[{atom}] = 1;
  return form;
}

std::optional<Atom> single_atom(const IndexForm& form) {
  if (form.terms.size() != 1 || form.terms.begin()->second != 1 ||
      form.terms.begin()->first.size() != 1)
    return std::nullopt;
  return form.terms.begin()->first.front();
}

bool is_from_host(const Atom& atom) {
  if (atom.divergence != Divergence::none || atom.position != Position::none) return false;
  const auto* root = atom.variable ? atom.variable : root_variable(atom.expression);
  const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(root);
  const bool is_whole = atom.variable ? atom.fixed : llvm::isa<clang::MemberExpr>(atom.expression);
  return parameter && is_whole && parameter->getType()->isReferenceType() &&
         space_of(parameter->getType().getNonReferenceType()) == Space::constant;
}

IndexLimits limits_at(const clang::Stmt& place, const ThreadFlow& flow) {
  IndexLimits limits;
  ConditionReader reader(flow, limits);
  for (const auto& guard : flow.guards(&place)) reader.read(guard.condition, guard.taken);
  // `k < n && x[k]`.
  const clang::Stmt* inner = &place;
  for (const auto* at = flow.parent(inner); at && llvm::isa<clang::Expr>(at);
       inner = at, at = flow.parent(at)) {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(at);
    if (binary && binary->isLogicalOp() && binary->getRHS() == inner)
      reader.read(binary->getLHS(), binary->getOpcode() == clang::BO_LAnd);
  }
  for (const auto* condition : flow.deciding(&place)) {
    const auto* branch = branch_of(condition, flow);
    if (!branch || flow.contains(branch, &place)) continue;
    // Who is still there has not taken the way out.
    if (const auto* exit = flow.exit_under(branch->getCond()))
      reader.read(branch->getCond(), !flow.contains(branch->getThen(), exit));
    else
      limits.others.push_back(condition);
  }
  return limits;
}

}  // namespace msci
