#include "search/rewrite/counted_loop.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/changed_variables.h"

namespace msci::search {
namespace {

class Loops : public clang::DynamicRecursiveASTVisitor {
 public:
  std::vector<const clang::ForStmt*> found;
  bool VisitForStmt(clang::ForStmt* loop) override {
    if (loop->getBody()) found.push_back(loop);
    return true;
  }
};

bool is_variable(const clang::Expr* expression, const clang::VarDecl& variable) {
  const auto* name =
      expression ? llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts()) : nullptr;
  return name && name->getDecl() == &variable;
}

// How far a round counts; none where it does not count upwards by a constant.
std::optional<std::int64_t> step_of(const clang::Expr* increment, const clang::VarDecl& variable,
                                    const clang::ASTContext& ast) {
  if (const auto* op = llvm::dyn_cast_or_null<clang::UnaryOperator>(increment))
    return op->isIncrementOp() && is_variable(op->getSubExpr(), variable)
               ? std::optional<std::int64_t>(1)
               : std::nullopt;
  const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(increment);
  if (!op || op->getOpcode() != clang::BO_AddAssign || !is_variable(op->getLHS(), variable))
    return std::nullopt;
  const auto step = constant_of(op->getRHS(), ast);
  return step && *step > 0 ? step : std::nullopt;
}

// Sets what the parts of the head say; false where they say nothing that is known.
bool read_head(CountedLoop& counted, const ParsedText& code) {
  const auto& ast = code.unit().ast();
  const auto* condition = llvm::dyn_cast_or_null<clang::BinaryOperator>(counted.loop->getCond());
  if (!condition || !is_variable(condition->getLHS(), *counted.variable)) return false;
  counted.includes_limit = condition->getOpcode() == clang::BO_LE;
  if (!counted.includes_limit && condition->getOpcode() != clang::BO_LT) return false;
  const auto step = step_of(counted.loop->getInc(), *counted.variable, ast);
  const auto type = code.span(
      counted.variable->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc().getSourceRange());
  const auto first = code.span(counted.variable->getInit()->getSourceRange());
  const auto limit = code.operand(*condition->getRHS());
  if (!step || !type || !first || !limit) return false;
  counted.step = *step;
  counted.type = code.text(*type);
  counted.first = code.text(*first);
  counted.limit = *limit;
  auto changed = changed_in(counted.body());
  if (changed.contains(counted.variable) || mentions_any(condition->getRHS(), changed))
    return false;
  counted.first_value = constant_of(counted.variable->getInit(), ast);
  if (const auto last = constant_of(condition->getRHS(), ast); last && counted.first_value) {
    const auto span = *last - *counted.first_value + (counted.includes_limit ? 1 : 0);
    counted.rounds = span > 0 ? (span + *step - 1) / *step : 0;
  }
  return true;
}

// Counts how a loop uses a variable from outside: in all, as an element that the counter chooses,
// and as a sum that grows.
class OuterUses : public clang::DynamicRecursiveASTVisitor {
 public:
  OuterUses(const clang::ValueDecl& variable, const clang::VarDecl& counter)
      : variable_(variable), counter_(counter) {}

  // Whether no round needs what another one writes, as far as one can see.
  bool are_independent() const { return all == elements || all == sums; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (name->getDecl() == &variable_) ++all;
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    if (names(element->getBase()) && mentions_any(element->getIdx(), {&counter_})) ++elements;
    return true;
  }
  bool VisitCompoundAssignOperator(clang::CompoundAssignOperator* op) override {
    if (names(op->getLHS()) && op->getOpcode() != clang::BO_DivAssign &&
        op->getOpcode() != clang::BO_RemAssign)
      ++sums;
    return true;
  }

 private:
  bool names(const clang::Expr* expression) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
    return name && name->getDecl() == &variable_;
  }

  const clang::ValueDecl& variable_;
  const clang::VarDecl& counter_;
  unsigned all = 0;
  unsigned elements = 0;
  unsigned sums = 0;
};

}  // namespace

const clang::VarDecl* counter_of(const clang::Stmt* start) {
  const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(start);
  if (!declaration || !declaration->isSingleDecl()) return nullptr;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
  return variable && variable->getInit() && variable->getType()->isIntegerType() ? variable
                                                                                 : nullptr;
}

std::vector<const clang::Stmt*> CountedLoop::statements() const {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&body()))
    return {block->body_begin(), block->body_end()};
  return {&body()};
}

std::optional<CountedLoop> counted_loop(const clang::Stmt& statement, const ParsedText& code) {
  const auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement);
  if (!loop || !loop->getBody()) return std::nullopt;
  const auto span = code.statement(*loop);
  CountedLoop counted{.loop = loop, .variable = counter_of(loop->getInit())};
  if (!span || !counted.variable || counted.variable->getType()->isDependentType())
    return std::nullopt;
  // The statement of a body without braces is within the loop, and its semicolon ends both.
  const auto body = code.statement(counted.body());
  if (!body || !read_head(counted, code)) return std::nullopt;
  counted.span = {span->begin, std::max(span->end, body->end)};
  return counted;
}

std::vector<const clang::ForStmt*> for_loops(const ParsedText& code) {
  Loops loops;
  for (const auto* function : functions_of(code.unit())) loops.TraverseStmt(function->getBody());
  return loops.found;
}

std::vector<CountedLoop> counted_loops(const ParsedText& code) {
  return found_at(for_loops(code), [&](const auto* loop) { return counted_loop(*loop, code); });
}

std::string counter(const CountedLoop& loop, std::int64_t round) {
  return round == 0 ? loop.name() : fmt::format("({} + {})", loop.name(), round * loop.step);
}

std::optional<std::string> in_steps(const CountedLoop& loop, std::int64_t factor,
                                    const std::string& body, const ParsedText& code,
                                    const std::string& blanks) {
  const auto rest = code.copy(loop.body(), {}, blanks + "  ");
  if (!rest) return std::nullopt;
  const auto compare = loop.includes_limit ? "<=" : "<";
  const auto step = [&](std::int64_t count) {
    return count == 1 ? "++" + loop.name() : fmt::format("{} += {}", loop.name(), count);
  };
  return fmt::format(
      "{{\n{0}  {1} {2} = {3};\n"
      "{0}  for (; {2} + {4} {5} {6}; {7}) {{\n{8}{0}  }}\n"
      "{0}  for (; {2} {5} {6}; {9}) {10}\n{0}}}",
      blanks, loop.type, loop.name(), loop.first, (factor - 1) * loop.step, compare, loop.limit,
      step(factor * loop.step), body, step(loop.step), *rest);
}

bool are_rounds_independent(const CountedLoop& loop) {
  const auto own = declared_in(loop.body());
  const auto changed = changed_in(loop.body());
  return std::ranges::all_of(changed, [&](const clang::ValueDecl* variable) {
    if (own.contains(variable)) return true;
    OuterUses uses(*variable, *loop.variable);
    uses.TraverseStmt(const_cast<clang::Stmt*>(&loop.body()));
    return uses.are_independent();
  });
}

}  // namespace msci::search
