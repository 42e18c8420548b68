#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// The least half. Numbers from a buffer of halves are never below.
constexpr double least_half = -65504;

clang::QualType element_of(clang::QualType type) {
  const auto* vector = type.getCanonicalType()->getAs<clang::VectorType>();
  return vector ? vector->getElementType() : type;
}

// Whether it is half, or a vector of half.
bool holds_halves(clang::QualType type) {
  return element_of(type).getCanonicalType()->isHalfType() ||
         element_of(type).getCanonicalType()->isFloat16Type();
}

bool reads_halves(const clang::FunctionDecl& function) {
  return std::ranges::any_of(function.parameters(), [](const clang::ParmVarDecl* parameter) {
    const auto type = parameter->getType();
    const bool is_bound = type->isAnyPointerType() || type->isReferenceType();
    return holds_halves(is_bound ? type->getPointeeType() : type);
  });
}

// The constant that a float, or each component of a vector, starts with; nothing for others.
std::optional<double> start_of(const clang::VarDecl& variable, const clang::ASTContext& ast) {
  const auto* start = variable.getInit();
  if (!start || !variable.hasLocalStorage() || start->isInstantiationDependent() ||
      !element_of(variable.getType())->isRealFloatingType())
    return std::nullopt;
  // `float4(-1e4f)`.
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(start->IgnoreParenImpCasts());
      call && call->getNumArgs() == 1 && variable.getType()->isVectorType())
    start = call->getArg(0);
  llvm::APFloat value(0.0);
  if (!start->getType()->isRealFloatingType() || !start->EvaluateAsFloat(value, ast))
    return std::nullopt;
  bool loses = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return value.convertToDouble();
}

// Whether a maximum may start there by mistake: low, but far from the least float.
bool is_low(double start, bool of_halves) {
  constexpr double highest = -1000, lowest = -1e6;
  return start >= lowest && start <= highest && !(of_halves && start <= least_half);
}

const clang::VarDecl* variable_in(const clang::Expr& value) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value.IgnoreParenImpCasts());
  return name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

// The maxima that the loops of a function take.
class Maxima : public clang::DynamicRecursiveASTVisitor {
 public:
  Maxima(const clang::FunctionDecl& function, const Unit& unit, Reporter& report)
      : unit_(unit), report_(report), of_halves_(reads_halves(function)) {}

  bool TraverseForStmt(clang::ForStmt* loop) override {
    return inside([&] { return clang::DynamicRecursiveASTVisitor::TraverseForStmt(loop); });
  }
  bool TraverseWhileStmt(clang::WhileStmt* loop) override {
    return inside([&] { return clang::DynamicRecursiveASTVisitor::TraverseWhileStmt(loop); });
  }
  bool TraverseDoStmt(clang::DoStmt* loop) override {
    return inside([&] { return clang::DynamicRecursiveASTVisitor::TraverseDoStmt(loop); });
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    loops_around_[variable] = loops_;
    return true;
  }
  // `max(m, x)`.
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto name = metal_function(*call, unit_);
    if ((name == "max" || name == "fmax") && call->getNumArgs() == 2)
      for (const unsigned i : {0U, 1U}) check(*call->getArg(i), *call->getArg(1 - i), *call);
    return true;
  }
  // `x > m ? x : m`.
  bool VisitConditionalOperator(clang::ConditionalOperator* choice) override {
    if (const auto* least = lesser_of(*choice->getCond()))
      if (variable_in(*choice->getFalseExpr()) == variable_in(*least))
        check(*least, *choice->getTrueExpr(), *choice);
    return true;
  }
  // `if (x > m) m = x;`
  bool VisitIfStmt(clang::IfStmt* branch) override {
    const auto* least = lesser_of(*branch->getCond());
    const auto* variable = least ? variable_in(*least) : nullptr;
    if (const auto* value = variable ? value_assigned(*branch->getThen(), *variable) : nullptr)
      check(*least, *value, *branch->getCond());
    return true;
  }

 private:
  template <typename Traverse>
  bool inside(Traverse traverse) {
    ++loops_;
    const bool goes_on = traverse();
    --loops_;
    return goes_on;
  }

  // The side of a comparison that it says is less; null for other conditions.
  static const clang::Expr* lesser_of(const clang::Expr& condition) {
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition.IgnoreParenImpCasts());
    if (!test || !test->isRelationalOp()) return nullptr;
    const bool is_left = test->getOpcode() == clang::BO_LT || test->getOpcode() == clang::BO_LE;
    return is_left ? test->getLHS() : test->getRHS();
  }

  static const clang::Expr* value_assigned(const clang::Stmt& part,
                                           const clang::VarDecl& variable) {
    if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&part))
      return assignment->getOpcode() == clang::BO_Assign &&
                     variable_in(*assignment->getLHS()) == &variable
                 ? assignment->getRHS()
                 : nullptr;
    for (const auto* child : part.children())
      if (const auto* value = child ? value_assigned(*child, variable) : nullptr) return value;
    return nullptr;
  }

  bool is_magnitude(const clang::Expr& value) const {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(value.IgnoreParenImpCasts());
    const auto name = call ? metal_function(*call, unit_) : std::string_view();
    return name == "abs" || name == "fabs";
  }

  // Of a variable of an outer loop, or of none, which is changed here.
  void check(const clang::Expr& least, const clang::Expr& other, const clang::Expr& place) {
    const auto* variable = variable_in(least);
    const auto known = loops_around_.find(variable);
    if (!variable || known == loops_around_.end() || known->second >= loops_ ||
        variable->getType().isConstQualified() || other.isInstantiationDependent() ||
        other.isEvaluatable(unit_.ast()) || is_magnitude(other))
      return;
    const auto start = start_of(*variable, unit_.ast());
    const bool of_halves = of_halves_ || holds_halves(variable->getType());
    if (!start || !is_low(*start, of_halves) || !told_.insert(variable).second) return;
    report_(variable->getInit()->getSourceRange(),
            fmt::format("numbers below {:g} never become the maximum `{}`; start with -INFINITY",
                        *start, variable->getNameAsString()))
        .note(place.getSourceRange(), "the maximum is taken here");
  }

  const Unit& unit_;
  Reporter& report_;
  const bool of_halves_;
  unsigned loops_ = 0;  // around what is visited
  std::map<const clang::VarDecl*, unsigned> loops_around_;
  std::set<const clang::VarDecl*> told_;
};

}  // namespace

extern constinit const Rule maximum_start{
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto functions =
              functionDecl(isDefinition(), unless(isTemplateInstantiation())).bind("function");
          for (const auto& each : match(functions, unit)) {
            const auto& function = *each.getNodeAs<clang::FunctionDecl>("function");
            Maxima(function, unit, report).TraverseStmt(function.getBody());
          }
        },
};

}  // namespace msci
