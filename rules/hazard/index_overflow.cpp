#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <algorithm>
#include <set>
#include <vector>

#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

bool is_product(const clang::Expr& value) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value.IgnoreParens());
  return binary && binary->getOpcode() == clang::BO_Mul;
}

// The product of two 32-bit values, neither of them known, that a sum holds at its top; null where
// there is none.
const clang::BinaryOperator* product_in(const clang::Expr& value, const clang::ASTContext& ast) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value.IgnoreParens());
  if (!binary || ast.getTypeSize(binary->getType()) != 32) return nullptr;
  if (binary->isAdditiveOp()) {
    const auto* left = product_in(*binary->getLHS(), ast);
    return left ? left : product_in(*binary->getRHS(), ast);
  }
  if (!is_product(*binary)) return nullptr;
  for (const auto* factor : {binary->getLHS(), binary->getRHS()}) {
    // What is narrower than 32 bits, or is known, makes no large product.
    const auto* whole = factor->IgnoreParenImpCasts();
    if (whole->isEvaluatable(ast) || !whole->getType()->isIntegerType() ||
        ast.getTypeSize(whole->getType()) < 32)
      return nullptr;
  }
  return binary;
}

// Whether a number counts threads or threadgroups, or is made of such numbers and constants.
bool counts_grid(const clang::Expr& value, const Unit& unit, int depth = 0) {
  const auto* e = value.IgnoreParenCasts();
  if (depth > 4) return false;
  if (e->isEvaluatable(unit.ast())) return true;
  if (const auto* part = llvm::dyn_cast<clang::ExtVectorElementExpr>(e))
    return counts_grid(*part->getBase(), unit, depth + 1);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e))
    return !binary->isAssignmentOp() && counts_grid(*binary->getLHS(), unit, depth + 1) &&
           counts_grid(*binary->getRHS(), unit, depth + 1);
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (!variable) return false;
  if (llvm::isa<clang::ParmVarDecl>(variable)) {
    const auto attributes = unit.attributes(*variable);
    return std::any_of(attributes.begin(), attributes.end(), [](const Attribute& each) {
      return each.name.starts_with("thread") || each.name.starts_with("simdgroup");
    });
  }
  return variable->getType().isConstQualified() && variable->getInit() &&
         counts_grid(*variable->getInit(), unit, depth + 1);
}

// The product of the grid's own numbers is the number of its threadgroups at most.
bool is_of_groups(const clang::BinaryOperator& product, const Unit& unit) {
  return counts_grid(*product.getLHS(), unit) && counts_grid(*product.getRHS(), unit);
}

// Code that computes the high word of a product wants its low word alone.
bool computes_high_words(const Unit& unit) {
  return !match(callExpr(callee(functionDecl(hasName("mulhi")))), unit).empty();
}

// A known factor up to this one makes bytes or vectors of elements, a larger one rows.
constexpr std::int64_t longest_element = 16;

// The factors of a product of 64 bits.
void add_factors(const clang::Expr& product, const clang::ASTContext& ast,
                 std::vector<const clang::Expr*>& factors) {
  const auto* e = product.IgnoreParenImpCasts();
  if (!is_product(*e) || e->isTypeDependent() || ast.getTypeSize(e->getType()) != 64) {
    factors.push_back(e);
    return;
  }
  const auto* binary = llvm::cast<clang::BinaryOperator>(e);
  add_factors(*binary->getLHS(), ast, factors);
  add_factors(*binary->getRHS(), ast, factors);
}

// What a product of 64 bits multiplies with something else than the size of an element. Such a
// number counts rows or planes, and no memory holds 2^31 of them.
std::set<const clang::Expr*> multiplied_later(const Unit& unit) {
  auto& ast = unit.ast();
  std::set<const clang::Expr*> all;
  for (const auto& each :
       match(binaryOperator(hasOperatorName("*"), hasType(isInteger())).bind("product"), unit)) {
    const auto& product = *each.getNodeAs<clang::Expr>("product");
    if (product.isTypeDependent() || ast.getTypeSize(product.getType()) != 64) continue;
    std::vector<const clang::Expr*> factors;
    add_factors(product, ast, factors);
    for (const auto* factor : factors) {
      const bool is_scaled = std::any_of(factors.begin(), factors.end(), [&](const auto* other) {
        const auto known =
            other->isInstantiationDependent() ? std::nullopt : constant_of(other, ast);
        return other != factor && (!known || *known > longest_element);
      });
      if (is_scaled) all.insert(factor);
    }
  }
  return all;
}

// The 32-bit products that count rows or planes: the value, or a variable that it initialises, is
// only multiplied.
std::set<const clang::BinaryOperator*> counts_of_rows(const Unit& unit) {
  const auto scaled = multiplied_later(unit);
  std::set<const clang::VarDecl*> variables, otherwise;
  for (const auto& each :
       match(declRefExpr(to(varDecl(hasType(isInteger())).bind("variable"))).bind("use"), unit)) {
    const auto* variable = each.getNodeAs<clang::VarDecl>("variable");
    (scaled.contains(each.getNodeAs<clang::Expr>("use")) ? variables : otherwise).insert(variable);
  }
  std::set<const clang::BinaryOperator*> counts;
  const auto add = [&](const clang::Expr* value) {
    if (value && !value->isInstantiationDependent())
      if (const auto* product = product_in(*value->IgnoreParenCasts(), unit.ast()))
        counts.insert(product);
  };
  for (const auto* variable : variables)
    if (!otherwise.contains(variable)) add(variable->getInit());
  for (const auto* factor : scaled)
    if (llvm::isa<clang::ExplicitCastExpr>(factor)) add(factor);
  return counts;
}

// The numbers that a signed product of 32 bits multiplies; nothing where one is known or narrower.
std::optional<unsigned> unknown_factors(const clang::Expr& value, const Unit& unit) {
  const auto& ast = unit.ast();
  const auto* e = value.IgnoreParenImpCasts();
  if (e->isInstantiationDependent() || !e->getType()->isSignedIntegerType() ||
      ast.getTypeSize(e->getType()) != 32 || e->isEvaluatable(ast))
    return std::nullopt;
  if (!is_product(*e)) return 1;
  const auto* product = llvm::cast<clang::BinaryOperator>(e);
  const auto left = unknown_factors(*product->getLHS(), unit);
  const auto right = unknown_factors(*product->getRHS(), unit);
  return left && right ? std::optional(*left + *right) : std::nullopt;
}

// The product of three sizes or more in the 32-bit sum by which a pointer moves.
const clang::BinaryOperator* moving_product(const clang::Expr& offset, const Unit& unit) {
  constexpr unsigned most_factors = 2;  // a matrix; what has three is a batch of them
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(offset.IgnoreParenImpCasts());
  if (!binary || binary->isInstantiationDependent() ||
      unit.ast().getTypeSize(binary->getType()) != 32)
    return nullptr;
  if (binary->isAdditiveOp()) {
    const auto* left = moving_product(*binary->getLHS(), unit);
    return left ? left : moving_product(*binary->getRHS(), unit);
  }
  const auto factors = unknown_factors(*binary, unit);
  return is_product(*binary) && factors && *factors > most_factors && !is_of_groups(*binary, unit)
             ? binary
             : nullptr;
}

// The products of `c + batch * n * m`: a pointer takes 64 bits, and the product of three sizes
// often needs them.
class Moves : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Moves(const Unit& unit) : unit_(unit) {}

  bool VisitBinaryOperator(clang::BinaryOperator* move) override {
    if (!move->isAdditiveOp() && !move->isCompoundAssignmentOp()) return true;
    if (!move->getType()->isPointerType()) return true;
    for (const auto* offset : {move->getLHS(), move->getRHS()})
      if (!offset->getType()->isPointerType())
        if (const auto* product = moving_product(*offset, unit_)) products.push_back(product);
    return true;
  }

  std::vector<const clang::BinaryOperator*> products;

 private:
  const Unit& unit_;
};

// One finding for a function, since most of its products have the same sizes.
void check_moves(const Unit& unit, Reporter& report) {
  const auto functions =
      functionDecl(isDefinition(), unless(isTemplateInstantiation())).bind("function");
  for (const auto& each : match(functions, unit)) {
    Moves moves(unit);
    moves.TraverseStmt(each.getNodeAs<clang::FunctionDecl>("function")->getBody());
    if (moves.products.empty()) continue;
    auto draft =
        report(moves.products.front()->getSourceRange(),
               "moves a pointer by a product of three sizes, which is computed in 32 bits");
    for (std::size_t i = 1; i < moves.products.size(); ++i)
      draft.note(moves.products[i]->getSourceRange(), "another one");
  }
}

}  // namespace

extern constinit const Rule index_overflow{
    .check =
        [](const Unit& unit, Reporter& report) {
          auto& ast = unit.ast();
          const auto widened =
              castExpr(hasCastKind(clang::CK_IntegralCast), hasType(isInteger())).bind("cast");
          auto found = match(varDecl(hasInitializer(ignoringParens(widened))), unit);
          const bool has_high_words = computes_high_words(unit);
          for (auto& each : match(widened, unit)) {
            const auto* made =
                llvm::dyn_cast<clang::ImplicitCastExpr>(each.getNodeAs<clang::CastExpr>("cast"));
            const bool is_requested = !made || made->isPartOfExplicitCast();
            if (is_requested && !has_high_words) found.push_back(each);
          }
          std::optional<std::set<const clang::BinaryOperator*>> rows;
          for (const auto& each : found) {
            const auto& cast = *each.getNodeAs<clang::CastExpr>("cast");
            if (cast.isTypeDependent() || cast.isValueDependent() ||
                ast.getTypeSize(cast.getType()) != 64)
              continue;
            const auto* product = product_in(*cast.getSubExpr(), ast);
            if (!product || is_of_groups(*product, unit)) continue;
            if (!rows) rows = counts_of_rows(unit);
            if (!rows->contains(product))
              report(product->getSourceRange(),
                     "is multiplied in 32 bits and widened to 64 bits afterwards");
          }
          check_moves(unit, report);
        },
};

}  // namespace msci
