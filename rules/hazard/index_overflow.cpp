#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
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

// Adds the numbers that a signed product of 32 bits multiplies. False where one is known or
// narrower.
bool add_unknown_factors(const clang::Expr& value, const clang::ASTContext& ast,
                         std::vector<const clang::Expr*>& factors) {
  const auto* e = value.IgnoreParenImpCasts();
  if (e->isInstantiationDependent() || !e->getType()->isSignedIntegerType() ||
      ast.getTypeSize(e->getType()) != 32 || e->isEvaluatable(ast))
    return false;
  if (!is_product(*e)) {
    factors.push_back(e);
    return true;
  }
  const auto* product = llvm::cast<clang::BinaryOperator>(e);
  return add_unknown_factors(*product->getLHS(), ast, factors) &&
         add_unknown_factors(*product->getRHS(), ast, factors);
}

// A product of three sizes or more by which a pointer moves.
struct Move {
  const clang::BinaryOperator* product;
  std::vector<const clang::Expr*> factors;
};

std::optional<Move> moving_product(const clang::Expr& offset, const Unit& unit) {
  constexpr std::size_t most_factors = 2;  // a matrix; what has three is a batch of them
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(offset.IgnoreParenImpCasts());
  if (!binary || binary->isInstantiationDependent() ||
      unit.ast().getTypeSize(binary->getType()) != 32)
    return std::nullopt;
  if (binary->isAdditiveOp()) {
    auto left = moving_product(*binary->getLHS(), unit);
    return left ? left : moving_product(*binary->getRHS(), unit);
  }
  Move move{binary, {}};
  const bool is_large = is_product(*binary) &&
                        add_unknown_factors(*binary, unit.ast(), move.factors) &&
                        move.factors.size() > most_factors && !is_of_groups(*binary, unit);
  return is_large ? std::optional(std::move(move)) : std::nullopt;
}

// A part of a position in the grid: the parameter and its component.
using GridPart = std::pair<const clang::VarDecl*, std::string>;

// The parts of positions in the grid that a value is computed from.
class GridParts : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit GridParts(const Unit& unit) : unit_(unit) {}

  bool VisitExtVectorElementExpr(clang::ExtVectorElementExpr* part) override {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part->getBase()->IgnoreParenImpCasts());
    const auto* variable = name ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
    if (variable && is_position(*variable))
      parts.emplace(variable, part->getAccessor().getName().str());
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable && variable->getType().isConstQualified() && seen_.insert(variable).second)
      TraverseStmt(variable->getInit());
    return true;
  }

  std::set<GridPart> parts;

 private:
  bool is_position(const clang::ParmVarDecl& variable) const {
    return std::ranges::any_of(unit_.attributes(variable), [](const Attribute& each) {
      return each.name.ends_with("_position_in_grid");
    });
  }

  const Unit& unit_;
  std::set<const clang::VarDecl*> seen_;
};

std::set<GridPart> grid_parts(const clang::Expr& value, const Unit& unit) {
  GridParts found(unit);
  found.TraverseStmt(const_cast<clang::Expr*>(&value));
  return std::move(found.parts);
}

// The products of `c + batch * n * m`: a pointer takes 64 bits, and the product of three sizes
// often needs them.
class Moves : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Moves(const Unit& unit) : unit_(unit) {}

  bool VisitBinaryOperator(clang::BinaryOperator* binary) override {
    if (binary->getOpcode() == clang::BO_Add && !binary->isInstantiationDependent())
      sums.push_back(binary);
    if (!binary->isAdditiveOp() && !binary->isCompoundAssignmentOp()) return true;
    if (!binary->getType()->isPointerType()) return true;
    for (const auto* offset : {binary->getLHS(), binary->getRHS()})
      if (!offset->getType()->isPointerType())
        if (auto move = moving_product(*offset, unit_)) moves.push_back(*std::move(move));
    return true;
  }

  // Whether the move leads to a matrix of which the grid has the rows and the columns, too: it is
  // `batch * n * m` beside `row * n + column`. Such a matrix grows as the square of a length, while
  // what it is computed from does not.
  bool is_of_matrices(const Move& move) const {
    std::set<GridPart> batch;
    std::vector<const clang::Expr*> sizes;
    for (const auto* factor : move.factors) {
      auto parts = grid_parts(*factor, unit_);
      if (parts.empty()) sizes.push_back(factor);
      batch.merge(parts);
    }
    return batch.size() == 1 && sizes.size() == 2 &&
           std::ranges::any_of(sums, [&](const clang::BinaryOperator* sum) {
             return is_element(*sum->getLHS(), *sum->getRHS(), batch, sizes) ||
                    is_element(*sum->getRHS(), *sum->getLHS(), batch, sizes);
           });
  }

  std::vector<Move> moves;
  std::vector<const clang::BinaryOperator*> sums;

 private:
  // Whether it is `row * n` beside `column`.
  bool is_element(const clang::Expr& row, const clang::Expr& column,
                  const std::set<GridPart>& batch,
                  const std::vector<const clang::Expr*>& sizes) const {
    const auto* e = row.IgnoreParenImpCasts();
    if (!is_product(*e)) return false;
    const auto* product = llvm::cast<clang::BinaryOperator>(e);
    const bool is_row = std::ranges::any_of(sizes, [&](const clang::Expr* size) {
      return is_same(*size, *product->getLHS(), unit_.ast()) ||
             is_same(*size, *product->getRHS(), unit_.ast());
    });
    const auto rows = grid_parts(row, unit_), columns = grid_parts(column, unit_);
    return is_row && rows.size() == 1 && columns.size() == 1 && rows != columns && rows != batch &&
           columns != batch;
  }

  const Unit& unit_;
};

// One finding for a function, since most of its products have the same sizes.
void check_moves(const Unit& unit, Reporter& report) {
  const auto functions =
      functionDecl(isDefinition(), unless(isTemplateInstantiation())).bind("function");
  for (const auto& each : match(functions, unit)) {
    Moves found(unit);
    found.TraverseStmt(each.getNodeAs<clang::FunctionDecl>("function")->getBody());
    auto& moves = found.moves;
    if (moves.empty()) continue;
    const auto others = std::ranges::stable_partition(
        moves, [&](const Move& move) { return found.is_of_matrices(move); });
    auto draft =
        report(moves.front().product->getSourceRange(),
               "moves a pointer by a product of three sizes, which is computed in 32 bits");
    if (others.begin() == moves.begin()) draft.severity(Severity::note);
    for (std::size_t i = 1; i < moves.size(); ++i)
      draft.note(moves[i].product->getSourceRange(), "another one");
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
