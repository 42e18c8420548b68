// Cheaper forms of divisions and of functions.
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lint/analysis/expressions.h"
#include "search/rewrite/parsed_text.h"
#include "search/rewrite/transformations.h"

namespace msci::search {
namespace {

class Operations : public clang::DynamicRecursiveASTVisitor {
 public:
  std::vector<const clang::BinaryOperator*> binary;
  std::vector<const clang::CallExpr*> calls;
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (!op->getType()->isDependentType()) binary.push_back(op);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    calls.push_back(call);
    return true;
  }
};

Operations operations_in(const Unit& unit) {
  Operations operations;
  for (const auto* function : functions_of(unit)) operations.TraverseStmt(function->getBody());
  return operations;
}

// A quotient or remainder of unsigned numbers whose divisor is no constant.
bool is_word_division(const clang::BinaryOperator& op, const clang::ASTContext& ast) {
  const auto kind = op.getOpcode();
  return (kind == clang::BO_Div || kind == clang::BO_Rem) &&
         op.getType()->isUnsignedIntegerType() && ast.getTypeSize(op.getType()) == 32 &&
         !constant_of(op.getRHS(), ast);
}

// A division as a call of a helper, or as `form` of its operands.
struct Division {
  clang::BinaryOperatorKind kind = clang::BO_Rem;
  const char* form;  // with {0} for the dividend and {1} for the divisor
  const char* helper = "";
  const char* about;
};

void find_divisions(const ParsedText& code, const Division& division, std::vector<Rewrite>& found) {
  const auto operations = operations_in(code.unit());
  for (const auto* op : operations.binary) {
    if (op->getOpcode() != division.kind || !is_word_division(*op, code.unit().ast())) continue;
    const auto place = code.span(op->getSourceRange());
    const auto left = code.operand(*op->getLHS());
    const auto right = code.operand(*op->getRHS());
    if (!place || !left || !right) continue;
    Rewrite rewrite{
        .about = fmt::format("{} in {}", division.about, code.text(*place)),
        .edits = {code.replace(*place, fmt::format(fmt::runtime(division.form), *left, *right))}};
    if (*division.helper && code.unit().source().text.find(division.helper) == std::string::npos)
      rewrite.edits.push_back(code.declare(division.helper));
    found.push_back(std::move(rewrite));
  }
}

constexpr const char* wrapped = R"(uint wrapped(uint x, uint n) {
  x = x < n ? x : x - n;
  return x < n ? x : x - n;
}
)";
constexpr const char* quotient = R"(uint quotient(uint x, uint n) {
  const uint q = mulhi(x, 0xffffffffu / n);
  return x - q * n < n ? q : q + 1;
}
)";
constexpr const char* remainder_of = R"(uint remainder_of(uint x, uint n) {
  const uint r = x - mulhi(x, 0xffffffffu / n) * n;
  return r < n ? r : r - n;
}
)";

// Functions that have a fast and a precise form.
constexpr std::array functions_with_forms = {
    "acos",  "asin", "atan", "atan2", "cos", "cosh", "exp",  "exp10", "exp2", "log",
    "log10", "log2", "pow",  "powr",  "sin", "sinh", "sqrt", "rsqrt", "tan",  "tanh"};

std::vector<Rewrite> find_forms(const Unit& unit, const std::string& form) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  const auto operations = operations_in(unit);
  for (const auto* call : operations.calls) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreImpCasts());
    if (!name || !name->getDecl()->getDeclName().isIdentifier() || name->hasQualifier()) continue;
    const auto word = name->getDecl()->getName().str();
    if (std::ranges::find(functions_with_forms, word) == functions_with_forms.end() ||
        unit.is_users(name->getDecl()->getLocation()))
      continue;
    if (const auto place = code.span(name->getLocation()); place && code.text(*place) == word)
      found.push_back({fmt::format("calls {}::{}", form, word),
                       {code.replace({place->begin, place->begin}, form + "::")}});
  }
  return found;
}

}  // namespace

std::vector<Rewrite> find_wraps(const Unit& unit) {
  std::vector<Rewrite> found;
  find_divisions(ParsedText(unit),
                 {.form = "wrapped({0}, {1})",
                  .helper = wrapped,
                  .about = "subtracts where the number is less than three divisors,"},
                 found);
  return found;
}

std::vector<Rewrite> find_masks(const Unit& unit) {
  constexpr const char* about = "takes the divisor for a power of two";
  std::vector<Rewrite> found;
  find_divisions(ParsedText(unit), {.form = "({0} & ({1} - 1))", .about = about}, found);
  find_divisions(ParsedText(unit),
                 {.kind = clang::BO_Div, .form = "({0} >> ctz({1}))", .about = about}, found);
  return found;
}

std::vector<Rewrite> find_quotients(const Unit& unit) {
  constexpr const char* about = "multiplies instead of dividing";
  std::vector<Rewrite> found;
  find_divisions(ParsedText(unit),
                 {.form = "remainder_of({0}, {1})", .helper = remainder_of, .about = about}, found);
  find_divisions(
      ParsedText(unit),
      {.kind = clang::BO_Div, .form = "quotient({0}, {1})", .helper = quotient, .about = about},
      found);
  return found;
}

std::vector<Rewrite> find_reciprocals(const Unit& unit) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  const auto operations = operations_in(unit);
  for (const auto* op : operations.binary) {
    if (op->getOpcode() != clang::BO_Div ||
        !op->getType()->isSpecificBuiltinType(clang::BuiltinType::Float) ||
        op->getLHS()->isEvaluatable(unit.ast()))
      continue;
    const auto place = code.span(op->getSourceRange());
    const auto left = code.span(op->getLHS()->getSourceRange());
    const auto right = code.operand(*op->getRHS());
    if (place && left && right)
      found.push_back(
          {"multiplies by the reciprocal of " + *right,
           {code.replace(*place, fmt::format("{} * (1.0f / {})", code.text(*left), *right))}});
  }
  return found;
}

std::vector<Rewrite> find_fast_functions(const Unit& unit) { return find_forms(unit, "fast"); }
std::vector<Rewrite> find_precise_functions(const Unit& unit) {
  return find_forms(unit, "precise");
}

}  // namespace msci::search
