// What loops do in which order: loops that change places, loops in two parts, and what leaves them.
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/changed_variables.h"
#include "search/rewrite/counted_loop.h"
#include "search/rewrite/transformations.h"

namespace msci::search {
namespace {

// "for (uint i = 0; i < n; ++i)".
std::optional<Span> head_of(const CountedLoop& loop, const ParsedText& code) {
  return code.span({loop.loop->getBeginLoc(), loop.loop->getRParenLoc()});
}

// Invariant parts of a loop that cost something: loads, divisions and calls of the library.
class Invariants : public clang::DynamicRecursiveASTVisitor {
 public:
  Invariants(const CountedLoop& loop, const Unit& unit) : unit_(unit) {
    changed_ = changed_in(loop.body());
    changed_.merge(declared_in(loop.body()));
    changed_.insert(loop.variable);
  }
  std::vector<const clang::Expr*> found;  // none lies in another

  bool TraverseStmt(clang::Stmt* part) override {
    const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(part);
    if (!expression || !is_value(*expression) || !costs(*expression) || !is_pure(*expression))
      return clang::DynamicRecursiveASTVisitor::TraverseStmt(part);
    found.push_back(expression);
    return true;
  }

 private:
  static bool is_value(const clang::Expr& expression) {
    const auto type = expression.getType();
    return expression.isPRValue() && !type->isDependentType() &&
           (type->isArithmeticType() || type->isVectorType());
  }
  bool costs(const clang::Stmt& part) const {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(&part);
    if ((op && (op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem)) ||
        llvm::isa<clang::ArraySubscriptExpr>(part) || is_call(part))
      return true;
    return std::any_of(part.child_begin(), part.child_end(),
                       [&](const clang::Stmt* child) { return child && costs(*child); });
  }
  // Of a function of Metal's that only computes.
  bool is_call(const clang::Stmt& part) const {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&part);
    const auto* callee = call ? call->getDirectCallee() : nullptr;
    return callee && !unit_.is_users(callee->getLocation()) &&
           std::ranges::all_of(callee->parameters(),
                               [](const clang::ParmVarDecl* each) {
                                 return !each->getType()->isPointerType() &&
                                        !each->getType()->isReferenceType();
                               }) &&
           callee->getNumParams() > 0;
  }
  bool is_pure(const clang::Stmt& part) const {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&part))
      return !changed_.contains(name->getDecl());
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(&part);
        op && (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf))
      return false;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(&part); op && op->isAssignmentOp())
      return false;
    if (llvm::isa<clang::CallExpr>(part) && !is_call(part)) return false;
    return std::all_of(part.child_begin(), part.child_end(),
                       [&](const clang::Stmt* child) { return !child || is_pure(*child); });
  }

  const Unit& unit_;
  VariableSet changed_;
};

std::optional<std::string> without_invariants(const CountedLoop& loop, const ParsedText& code,
                                              const std::string& blanks) {
  Invariants invariants(loop, code.unit());
  invariants.TraverseStmt(const_cast<clang::Stmt*>(&loop.body()));
  const auto body = code.statement(loop.body());
  const auto head = head_of(loop, code);
  if (invariants.found.empty() || !body || !head) return std::nullopt;
  std::string before, after;
  std::vector<std::string> known;
  auto at = body->begin;
  for (const auto* each : invariants.found) {
    const auto place = code.span(each->getSourceRange());
    if (!place || place->begin < at) return std::nullopt;
    const auto text = code.text(*place);
    auto same = std::ranges::find(known, text);
    if (same == known.end()) {
      before += fmt::format("{}  const auto invariant_{} = {};\n", blanks, known.size(), text);
      same = known.insert(known.end(), text);
    }
    after += fmt::format("{}invariant_{}", code.text({at, place->begin}), same - known.begin());
    at = place->end;
  }
  after += code.text({at, body->end});
  return fmt::format("{{\n{}{}  {} {}\n{}}}", before, blanks, code.text(*head), after, blanks);
}

// The loop as two: the statements before `middle`, and the others. None where the second needs what
// the first declares.
std::optional<std::string> split_at(const CountedLoop& loop, std::size_t middle,
                                    const ParsedText& code, const std::string& blanks) {
  const auto statements = loop.statements();
  const auto head = head_of(loop, code);
  std::string parts[2];
  VariableSet declared;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto copy = code.copy(*statements[i], {}, blanks + "    ");
    if (!copy || (i >= middle && mentions_any(statements[i], declared))) return std::nullopt;
    if (i < middle) declared.merge(declared_in(*statements[i]));
    parts[i < middle ? 0 : 1] += fmt::format("{}    {}\n", blanks, *copy);
  }
  if (!head) return std::nullopt;
  return fmt::format("{{\n{0}  {1} {{\n{2}{0}  }}\n{0}  {1} {{\n{3}{0}  }}\n{0}}}", blanks,
                     code.text(*head), parts[0], parts[1]);
}

// The counter after the first round; none where it is not `v += 2`, `v *= 2` and the like.
std::optional<std::int64_t> second_value(const clang::ForStmt& loop, const clang::VarDecl& counter,
                                         const clang::ASTContext& ast) {
  const auto first = constant_of(counter.getInit(), ast);
  const auto* increment = loop.getInc();
  if (!first || !increment || !mentions(increment, counter)) return std::nullopt;
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(increment))
    return op->isIncrementOp() ? std::optional(*first + 1) : std::nullopt;
  const auto* op = llvm::dyn_cast<clang::CompoundAssignOperator>(increment);
  const auto step = op ? constant_of(op->getRHS(), ast) : std::nullopt;
  if (!step || *first < 0 || *step < 1 || *first > 1 << 16 || *step > 1 << 8) return std::nullopt;
  if (op->getOpcode() == clang::BO_AddAssign) return *first + *step;
  if (op->getOpcode() == clang::BO_MulAssign) return *first * *step;
  return std::nullopt;
}

// The loop behind a copy of its first round, in which the counter is a constant.
std::optional<Rewrite> peeled(const clang::ForStmt& loop, const ParsedText& code) {
  const auto* counter = counter_of(loop.getInit());
  const auto place = code.statement(loop);
  const auto end = code.statement(*loop.getBody());
  const auto* condition = loop.getCond();
  if (!counter || !place || !end || !condition || jumps(*loop.getBody()) ||
      changed_in(*loop.getBody()).contains(counter))
    return std::nullopt;
  const auto second = second_value(loop, *counter, code.unit().ast());
  const auto start = code.span(counter->getInit()->getSourceRange());
  const auto type =
      code.span(counter->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc().getSourceRange());
  const auto test = code.span(condition->getSourceRange());
  const auto blanks = code.indentation(place->begin);
  const auto body = code.copy(*loop.getBody(), {}, blanks + "    ");
  if (!second || !start || !type || !test || !body || body->size() > most_bytes)
    return std::nullopt;
  const auto name = counter->getNameAsString();
  const auto round =
      fmt::format("{{\n{0}  {{\n{0}    const {1} {2} = {3};\n{0}    if ({4}) {5}\n{0}  }}\n{0}  ",
                  blanks, code.text(*type), name, code.text(*start), code.text(*test), *body);
  const auto after = std::max(place->end, end->end);
  return Rewrite{fmt::format("runs the first round of the loop over {} before it", name),
                 {code.replace({place->begin, place->begin}, round),
                  code.replace(*start, fmt::format("{}", *second)),
                  code.replace({after, after}, "\n" + blanks + "}")}};
}

}  // namespace

std::vector<Rewrite> find_peels(const Unit& unit) {
  const ParsedText code(unit);
  return found_at(for_loops(code), [&](const auto* loop) { return peeled(*loop, code); });
}

std::vector<Rewrite> find_swaps(const Unit& unit) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& outer : counted_loops(code)) {
    const auto statements = outer.statements();
    if (statements.size() != 1) continue;
    const auto inner = counted_loop(*statements.front(), code);
    const auto head = head_of(outer, code);
    if (!inner || !head || leaves(inner->body())) continue;
    const VariableSet counter = {outer.variable};
    const auto inner_head = head_of(*inner, code);
    if (!inner_head || mentions_any(inner->loop->getInit(), counter) ||
        mentions_any(inner->loop->getCond(), counter))
      continue;
    found.push_back({fmt::format("swaps the loops over {} and {}", outer.name(), inner->name()),
                     {code.replace(*head, code.text(*inner_head)),
                      code.replace(*inner_head, code.text(*head))}});
  }
  return found;
}

std::vector<Rewrite> find_splits(const Unit& unit) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& loop : counted_loops(code)) {
    if (leaves(loop.body()) || !are_rounds_independent(loop)) continue;
    for (std::size_t middle = 1; middle < loop.statements().size(); ++middle)
      if (const auto text = split_at(loop, middle, code, code.indentation(loop.span.begin)))
        found.push_back(
            {fmt::format("splits the loop over {} behind its statement {}", loop.name(), middle),
             {code.replace(loop.span, *text)}});
  }
  return found;
}

std::vector<Rewrite> find_hoists(const Unit& unit) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& loop : counted_loops(code))
    if (const auto text = without_invariants(loop, code, code.indentation(loop.span.begin)))
      found.push_back(
          {fmt::format("computes what stays the same before the loop over {}", loop.name()),
           {code.replace(loop.span, *text)}});
  return found;
}

}  // namespace msci::search
