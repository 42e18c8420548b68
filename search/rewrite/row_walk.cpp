// Loops over numbers that their bodies take apart into rows and columns.
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/changed_variables.h"
#include "search/rewrite/counted_loop.h"
#include "search/rewrite/transformations.h"

namespace msci::search {
namespace {

// The quotients and remainders of a number, and all places that name it.
class NumberUses : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit NumberUses(const clang::VarDecl& number) : number_(number) {}
  std::vector<const clang::BinaryOperator*> divisions;
  std::vector<const clang::Expr*> names;

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const bool divides = op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem;
    if (divides && is_number(*op->getLHS())) divisions.push_back(op);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (is_number(*name)) names.push_back(name);
    return true;
  }

 private:
  bool is_number(const clang::Expr& expression) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenImpCasts());
    return name && name->getDecl() == &number_;
  }

  const clang::VarDecl& number_;
};

// `for (uint number = first; number < limit; number += step)`, whose parts the body does not
// change.
struct NumberLoop {
  const clang::VarDecl* number = nullptr;
  std::string type, first, limit, step;
};

std::optional<NumberLoop> number_loop(const clang::ForStmt& loop, const ParsedText& code) {
  const auto* number = counter_of(loop.getInit());
  const auto* condition = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
  const auto* increment = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInc());
  if (!number || !number->getType()->isUnsignedIntegerType() || !condition || !increment ||
      condition->getOpcode() != clang::BO_LT || increment->getOpcode() != clang::BO_AddAssign ||
      !mentions(condition->getLHS(), *number) || !mentions(increment->getLHS(), *number))
    return std::nullopt;
  const auto type =
      code.span(number->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc().getSourceRange());
  const auto first = code.operand(*number->getInit());
  const auto counted = code.operand(*condition->getLHS());
  const auto limit = code.operand(*condition->getRHS());
  const auto step = code.operand(*increment->getRHS());
  auto changed = changed_in(*loop.getBody());
  if (!type || !first || !limit || !step || counted != number->getNameAsString() ||
      changed.contains(number) || mentions_any(condition->getRHS(), changed) ||
      mentions_any(increment->getRHS(), changed))
    return std::nullopt;
  return NumberLoop{number, code.text(*type), *first, *limit, *step};
}

// The loop as one over rows of the length by which the body divides, and one over columns.
std::optional<Rewrite> as_rows(const clang::ForStmt& loop, const ParsedText& code) {
  const auto head = code.span({loop.getBeginLoc(), loop.getRParenLoc()});
  const auto counted = number_loop(loop, code);
  if (!head || !counted || jumps(*loop.getBody(), false) || has_barrier(*loop.getBody()))
    return std::nullopt;
  NumberUses uses(*counted->number);
  uses.TraverseStmt(const_cast<clang::Stmt*>(loop.getBody()));
  if (uses.divisions.empty()) return std::nullopt;
  const auto& ast = code.unit().ast();
  const auto& length = *uses.divisions.front()->getRHS();
  auto own = changed_in(*loop.getBody());
  own.merge(declared_in(*loop.getBody()));
  const auto divisor = code.operand(length);
  const bool is_one_length = std::ranges::all_of(
      uses.divisions, [&](const auto* each) { return is_same(*each->getRHS(), length, ast); });
  if (!divisor || !is_one_length || !length.getType()->isUnsignedIntegerType() ||
      constant_of(&length, ast) || mentions_any(&length, own) || has_call(&length) ||
      mentions(&length, *counted->number))
    return std::nullopt;
  const auto name = counted->number->getNameAsString();
  const auto row = name + "_row", column = name + "_column";
  if (code.unit().source().text.find(row) != std::string::npos ||
      code.unit().source().text.find(column) != std::string::npos)
    return std::nullopt;
  const auto number = fmt::format("({} * {} + {})", row, *divisor, column);
  const auto blanks = code.indentation(head->begin);
  Rewrite rewrite{
      .about = fmt::format("walks rows of {} instead of dividing {}", *divisor, name),
      .edits = {code.replace(
          *head, fmt::format("for ({0} {1} = 0; {1} * {2} < {3}; ++{1})\n{4}  for ({0} {5} = {6}; "
                             "{5} < {2} && {7} < {3}; {5} += {8})",
                             counted->type, row, *divisor, counted->limit, blanks, column,
                             counted->first, number, counted->step))}};
  std::vector<Span> parts;
  const auto put = [&](const clang::Expr& expression, const std::string& text) {
    const auto place = code.span(expression.getSourceRange());
    if (!place) return false;
    parts.push_back(*place);
    rewrite.edits.push_back(code.replace(*place, text));
    return true;
  };
  for (const auto* each : uses.divisions)
    if (!put(*each, each->getOpcode() == clang::BO_Div ? row : column)) return std::nullopt;
  for (const auto* each : uses.names) {
    const auto place = code.span(each->getSourceRange());
    if (!place) return std::nullopt;
    const bool is_divided = std::ranges::any_of(parts, [&](const Span& part) {
      return part.begin <= place->begin && place->end <= part.end;
    });
    if (!is_divided && !put(*each, number)) return std::nullopt;
  }
  return rewrite;
}

}  // namespace

std::vector<Rewrite> find_row_walks(const Unit& unit) {
  const ParsedText code(unit);
  return found_at(for_loops(code), [&](const auto* loop) { return as_rows(*loop, code); });
}

}  // namespace msci::search
