#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lint/analysis/matchers.h"
#include "lint/analysis/raw_tokens.h"
#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// Words of a file that knows itself to work on powers of two, and may be right.
constexpr std::array signs = {"clz", "ctz", "popcount", "reverse_bits", "log2", "<<=", ">>="};

bool speaks_of_powers(const Unit& unit, const Place& place) {
  const FileTokens tokens(unit, place);
  const auto& words = tokens.words();
  return std::any_of(words.begin(), words.end(), [](const RawToken& word) {
    return std::find(signs.begin(), signs.end(), word.text) != signs.end() ||
           word.text.starts_with("log") || word.text.starts_with("LOG");
  });
}

const clang::VarDecl* variable_of(const clang::Expr* e) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  return name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

// The size of `N - 1`, or of a variable that was set to it.
const clang::VarDecl* size_of_mask(const clang::Expr* mask) {
  mask = mask->IgnoreParenCasts();
  if (const auto* variable = variable_of(mask); variable && variable->getInit() &&
                                                variable->isLocalVarDecl() &&
                                                variable->getType().isConstQualified())
    mask = variable->getInit()->IgnoreParenCasts();
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(mask);
  if (!op || op->getOpcode() != clang::BO_Sub) return nullptr;
  const auto* one = llvm::dyn_cast<clang::IntegerLiteral>(op->getRHS()->IgnoreParenCasts());
  const auto* size = variable_of(op->getLHS()->IgnoreParenCasts());
  return one && one->getValue() == 1 && size && is_shared_number(*size) ? size : nullptr;
}

}  // namespace

extern constinit const Rule power_of_two{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto masks = binaryOperator(hasOperatorName("&")).bind("mask");
          for (const auto& found : match_as_written(masks, unit)) {
            const auto& op = *found.getNodeAs<clang::BinaryOperator>("mask");
            const auto* right = size_of_mask(op.getRHS());
            const auto* left = size_of_mask(op.getLHS());
            const auto* size = right ? right : left;
            // `N & (N - 1)` asks whether it is one.
            const auto* other = variable_of(right ? op.getLHS() : op.getRHS());
            if (!size || other == size) continue;
            const auto place = unit.locate(op.getSourceRange());
            if (!place.is_known() || speaks_of_powers(unit, place)) continue;
            report(place, fmt::format("this wraps correctly only if '{}' is a power of two",
                                      size->getNameAsString()));
          }
        },
};

}  // namespace msci
