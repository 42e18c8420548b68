#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// The bytes by which a pointer lies behind the beginning of a buffer; nothing where that is not
// known. Casts on the way are looked through.
std::optional<std::int64_t> bytes_behind_buffer(const clang::Expr& pointer, const Unit& unit,
                                                unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  const auto& ast = unit.ast();
  const auto* e = pointer.IgnoreParenCasts();
  if (depth == deepest || e->isInstantiationDependent()) return std::nullopt;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl());
    const auto* function =
        parameter ? llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext()) : nullptr;
    if (function && unit.attribute(*function, "kernel")) return 0;
    return std::nullopt;
  }
  const auto move = [&](const clang::Expr& from, const clang::Expr& count, clang::QualType element,
                        int sign) -> std::optional<std::int64_t> {
    const auto start = bytes_behind_buffer(from, unit, depth + 1);
    const auto steps = constant_of(&count, ast);
    if (!start || !steps || element->isIncompleteType()) return std::nullopt;
    return *start + sign * *steps * ast.getTypeSizeInChars(element).getQuantity();
  };
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e); sum && sum->isAdditiveOp()) {
    const bool is_left = sum->getLHS()->getType()->isPointerType();
    const auto& from = is_left ? *sum->getLHS() : *sum->getRHS();
    const auto& count = is_left ? *sum->getRHS() : *sum->getLHS();
    return move(from, count, from.getType()->getPointeeType(),
                sum->getOpcode() == clang::BO_Sub ? -1 : 1);
  }
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(e);
  if (!address || address->getOpcode() != clang::UO_AddrOf) return std::nullopt;
  const auto* element =
      llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens());
  return element ? move(*element->getBase(), *element->getIdx(), element->getType(), 1)
                 : std::nullopt;
}

// A host binds a buffer at a multiple of what its declared type is aligned to, if not of more.
void check_cast(const clang::CastExpr& cast, const Unit& unit, Reporter& report) {
  const auto& ast = unit.ast();
  const auto to = cast.getType();
  if (!to->isPointerType() || to->isDependentType()) return;
  const auto element = to->getPointeeType();
  if (element->isIncompleteType() || element->isDependentType()) return;
  const auto bytes = ast.getTypeAlignInChars(element).getQuantity();
  const auto behind = bytes > 1 ? bytes_behind_buffer(*cast.getSubExpr(), unit) : std::nullopt;
  if (!behind || *behind % bytes == 0) return;
  report(cast.getSourceRange(),
         fmt::format("points {} byte{} behind the beginning of the buffer, where a type with an "
                     "alignment of {} cannot lie",
                     *behind, *behind == 1 ? "" : "s", bytes));
}

}  // namespace

extern constinit const Rule misaligned{
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto casts = explicitCastExpr(hasType(pointerType())).bind("cast");
          for (const auto& found : match_as_written(casts, unit))
            check_cast(*found.getNodeAs<clang::CastExpr>("cast"), unit, report);
        },
};

}  // namespace msci
