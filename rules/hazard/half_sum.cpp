#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Stmt.h>
#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// "half" or "bfloat"; empty for other types.
std::string_view name_of_short_float(clang::QualType type) {
  const auto* builtin = type.getCanonicalType()->getAs<clang::BuiltinType>();
  if (!builtin) return "";
  if (builtin->getKind() == clang::BuiltinType::BFloat16) return "bfloat";
  return builtin->getKind() == clang::BuiltinType::Half ||
                 builtin->getKind() == clang::BuiltinType::Float16
             ? "half"
             : "";
}

// Whether a loop may run very often: nothing in the source limits its counter to a small number.
bool is_long(const clang::ForStmt& loop, const clang::ASTContext& ast) {
  constexpr std::int64_t few = 64;
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
  if (!test || !test->isRelationalOp() || test->isInstantiationDependent() || !loop.getInc())
    return false;
  for (const auto* side : {test->getLHS(), test->getRHS()})
    if (const auto end = constant_of(side, ast)) return *end > few;
  return true;
}

// The sums of a loop's body in variables that live longer.
class Sums : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Sums(const Unit& unit) : unit_(unit) {}

  bool VisitBinaryOperator(clang::BinaryOperator* sum) override {
    const auto* variable = variable_in(*sum->getLHS());
    if (variable && adds_to(*sum, *variable) && variable->hasLocalStorage() &&
        !llvm::isa<clang::ParmVarDecl>(variable) &&
        !name_of_short_float(variable->getType()).empty() && !inner_.contains(variable))
      found.push_back(sum);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    inner_.insert(variable);
    return true;
  }

  std::vector<const clang::BinaryOperator*> found;

 private:
  static const clang::VarDecl* variable_in(const clang::Expr& value) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value.IgnoreParenImpCasts());
    return name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  }

  // `sum += x`, `sum = x + sum`, `sum = fma(x, y, sum)`.
  bool adds_to(const clang::BinaryOperator& assignment, const clang::VarDecl& variable) const {
    if (assignment.getOpcode() == clang::BO_AddAssign) return true;
    if (assignment.getOpcode() != clang::BO_Assign) return false;
    const auto* value = assignment.getRHS()->IgnoreParenImpCasts();
    if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(value))
      return sum->getOpcode() == clang::BO_Add &&
             (variable_in(*sum->getLHS()) == &variable || variable_in(*sum->getRHS()) == &variable);
    const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
    return call && metal_function(*call, unit_) == "fma" && call->getNumArgs() == 3 &&
           variable_in(*call->getArg(2)) == &variable;
  }

  const Unit& unit_;
  std::set<const clang::VarDecl*> inner_;  // of the body, up to here
};

}  // namespace

extern constinit const Rule half_sum{
    .check =
        [](const Unit& unit, Reporter& report) {
          std::set<const clang::Expr*> told;
          for (const auto& each : match_as_written(forStmt().bind("loop"), unit)) {
            const auto& loop = *each.getNodeAs<clang::ForStmt>("loop");
            if (!is_long(loop, unit.ast())) continue;
            Sums sums(unit);
            sums.TraverseStmt(const_cast<clang::Stmt*>(loop.getBody()));
            for (const auto* sum : sums.found) {
              if (!told.insert(sum).second) continue;
              const auto type = name_of_short_float(sum->getLHS()->getType());
              report(
                  sum->getSourceRange(),
                  fmt::format("sums up in {}, which has {} bits: behind a few thousand terms the "
                              "sum stays as it is; sum up in float",
                              type, type == "half" ? 11 : 8))
                  .note(loop.getForLoc(), "nothing limits this loop to a few terms");
            }
          }
        },
};

}  // namespace msci
