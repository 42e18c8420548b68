#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <cctype>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

bool is_half(clang::QualType type) { return type.getCanonicalType()->isFloat16Type(); }
bool is_float(clang::QualType type) {
  return type.getCanonicalType()->isSpecificBuiltinType(clang::BuiltinType::Float);
}

// What a calculation in float is made of.
struct Parts {
  const clang::Expr* literal = nullptr;  // the first that is written without a suffix
  bool has_half = false;
  bool needs_float = false;  // something else is a float of its own accord
};

bool has_suffix(const clang::Expr& literal, const Unit& unit) {
  const auto text = unit.text(unit.locate(literal.getSourceRange()));
  return text.empty() ||
         !(std::isdigit(static_cast<unsigned char>(text.back())) || text.back() == '.');
}

void look_at(const clang::Expr* value, const Unit& unit, Parts& parts) {
  value = value->IgnoreParens();
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value);
      binary && (binary->isAdditiveOp() || binary->isMultiplicativeOp())) {
    look_at(binary->getLHS(), unit, parts);
    return look_at(binary->getRHS(), unit, parts);
  }
  if (const auto* sign = llvm::dyn_cast<clang::UnaryOperator>(value);
      sign && (sign->getOpcode() == clang::UO_Minus || sign->getOpcode() == clang::UO_Plus))
    return look_at(sign->getSubExpr(), unit, parts);
  const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value);
  if (cast && is_half(cast->getSubExpr()->getType())) {
    parts.has_half = true;
    return;
  }
  // Clang has it as a double that is cast to float at once.
  const auto* literal = llvm::dyn_cast<clang::FloatingLiteral>(value->IgnoreParenImpCasts());
  if (!literal || has_suffix(*literal, unit))
    parts.needs_float = true;
  else if (!parts.literal)
    parts.literal = literal;
}

void judge(const Parts& parts, Reporter& report) {
  if (parts.literal && parts.has_half && !parts.needs_float)
    report(
        parts.literal->getSourceRange(),
        "a literal without a suffix is a float and turns this half computation into a float one");
}

}  // namespace

extern constinit const Rule double_literal{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          // A calculation in float whose result is wanted as a half.
          const auto narrowed = castExpr(hasCastKind(clang::CK_FloatingCast)).bind("cast");
          for (const auto& found : match_as_written(narrowed, unit)) {
            const auto& cast = *found.getNodeAs<clang::CastExpr>("cast");
            if (!is_half(cast.getType()) || !is_float(cast.getSubExpr()->getType())) continue;
            Parts parts;
            look_at(cast.getSubExpr(), unit, parts);
            judge(parts, report);
          }
          const auto updates =
              binaryOperator(hasAnyOperatorName("+=", "-=", "*=", "/=")).bind("update");
          for (const auto& found : match_as_written(updates, unit)) {
            const auto& update = *found.getNodeAs<clang::BinaryOperator>("update");
            if (!is_half(update.getLHS()->getType()) || !is_float(update.getRHS()->getType()))
              continue;
            Parts parts{.has_half = true};
            look_at(update.getRHS(), unit, parts);
            judge(parts, report);
          }
        },
};

}  // namespace msci
