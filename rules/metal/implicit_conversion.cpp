#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/functions/signatures.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;
using Kind = clang::BuiltinType::Kind;

// What C++ converts by itself and Metal does not, in all versions that have both types.
struct Conversion {
  Kind from;
  Kind to;
};
constexpr Conversion refused[] = {
    {Kind::Float, Kind::BFloat16},
    {Kind::Float16, Kind::BFloat16},
    {Kind::BFloat16, Kind::Float16},
};

const Conversion* refusal_of(clang::QualType from, clang::QualType to) {
  const auto* source = from.getCanonicalType()->getAs<clang::BuiltinType>();
  const auto* target = to.getCanonicalType()->getAs<clang::BuiltinType>();
  if (!source || !target) return nullptr;
  const auto* found = std::ranges::find_if(refused, [&](const Conversion& each) {
    return each.from == source->getKind() && each.to == target->getKind();
  });
  return found == std::end(refused) ? nullptr : found;
}

// The scalar itself, whatever name the source or the library has for it.
std::string scalar_name(clang::QualType type, const Unit& unit) {
  return type_name(type.getCanonicalType(), unit);
}

// What the value is for. Its parents are known only where a conversion is refused, since that takes
// long.
std::string refused_use(const clang::ImplicitCastExpr& cast, const Unit& unit) {
  const auto to = scalar_name(cast.getType(), unit);
  const auto from = scalar_name(cast.getSubExpr()->getType(), unit);
  auto parents = unit.ast().getParents(cast);
  while (!parents.empty()) {
    const auto& parent = parents[0];
    if (const auto* call = parent.get<clang::CallExpr>())
      if (const auto* callee = call->getDirectCallee())
        return fmt::format("no matching function for call to '{}': no conversion from '{}' to '{}'",
                           callee->getNameAsString(), from, to);
    if (parent.get<clang::BinaryOperator>())
      return fmt::format("assigning to '{}' from incompatible type '{}'", to, from);
    if (parent.get<clang::ReturnStmt>())
      return fmt::format("cannot initialize return object of type '{}' with an rvalue of type '{}'",
                         to, from);
    if (!parent.get<clang::Expr>()) break;
    parents = unit.ast().getParents(parent);
  }
  return fmt::format("cannot initialize a variable of type '{}' with an {} of type '{}'", to,
                     cast.getSubExpr()->IgnoreParenImpCasts()->isLValue() ? "lvalue" : "rvalue",
                     from);
}

// `x` → `bfloat(x)`, where the source writes the value as it is used.
std::vector<Edit> converted(const clang::ImplicitCastExpr& cast, const Unit& unit) {
  const auto place = unit.locate(cast.getSourceRange());
  if (!place.is_known() || cast.getBeginLoc().isMacroID() || cast.getEndLoc().isMacroID())
    return {};
  const Place end{place.file, {place.range.end, place.range.end}};
  return {{place.start(), scalar_name(cast.getType(), unit) + "("}, {end, ")"}};
}

void check_floating_casts(const Unit& unit, Reporter& report) {
  const auto casts = implicitCastExpr(hasCastKind(clang::CK_FloatingCast)).bind("cast");
  for (const auto& found : match(casts, unit)) {
    const auto& cast = *found.getNodeAs<clang::ImplicitCastExpr>("cast");
    if (cast.isPartOfExplicitCast() || !refusal_of(cast.getSubExpr()->getType(), cast.getType()))
      continue;
    auto draft = report(cast.getSourceRange(), refused_use(cast, unit));
    if (auto edits = converted(cast, unit); !edits.empty()) draft.fix(std::move(edits));
  }
}

// `b += f` computes in the wider type, and converts the result with no cast in the tree.
void check_compound_assignments(const Unit& unit, Reporter& report) {
  for (const auto& found : match(binaryOperator(isAssignmentOperator()).bind("operator"), unit)) {
    const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(
        found.getNodeAs<clang::BinaryOperator>("operator"));
    if (!compound || compound->getComputationResultType().isNull() ||
        !refusal_of(compound->getComputationResultType(), compound->getType()))
      continue;
    report(compound->getSourceRange(),
           fmt::format("assigning to '{}' from incompatible type '{}'",
                       scalar_name(compound->getType(), unit),
                       scalar_name(compound->getComputationResultType(), unit)));
  }
}

}  // namespace

extern constinit const Rule implicit_conversion{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          check_floating_casts(unit, report);
          check_compound_assignments(unit, report);
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
