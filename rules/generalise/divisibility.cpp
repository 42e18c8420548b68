#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ParentMap.h>
#include <fmt/format.h>

#include <map>
#include <string>

#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/analysis/raw_tokens.h"
#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// What a kernel does with one of its sizes.
struct Use {
  const clang::Expr* quotient = nullptr;  // the first `N / 4`
  std::int64_t divisor = 0;
  bool otherwise = false;  // as something else than N over that divisor
};

// The divisor of `/ 4` or `>> 2`; 0: it is something else.
std::int64_t divisor_of(const clang::BinaryOperator& op, const clang::ASTContext& ast) {
  const auto number = constant_of(op.getRHS(), ast);
  if (!number) return 0;
  if (op.getOpcode() == clang::BO_Div) return *number;
  return op.getOpcode() == clang::BO_Shr && *number < 31 ? std::int64_t{1} << *number : 0;
}

std::map<const clang::VarDecl*, Use> uses_in(const clang::FunctionDecl& kernel, const Unit& unit) {
  auto& ast = unit.ast();
  const auto mentions =
      functionDecl(forEachDescendant(declRefExpr(to(parmVarDecl().bind("size"))).bind("mention")));
  std::map<const clang::VarDecl*, Use> uses;
  const clang::ParentMap parents(kernel.getBody());
  for (const auto& found : clang::ast_matchers::match(mentions, kernel, ast)) {
    const auto* size = found.getNodeAs<clang::VarDecl>("size");
    auto& use = uses[size];
    const clang::Expr* mention = found.getNodeAs<clang::Expr>("mention");
    const clang::BinaryOperator* op = nullptr;
    for (;;) {
      const auto* parent =
          llvm::dyn_cast_or_null<clang::Expr>(parents.getParent(const_cast<clang::Expr*>(mention)));
      op = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
      if (!parent || op || !llvm::isa<clang::ImplicitCastExpr, clang::ParenExpr>(parent)) break;
      mention = parent;
    }
    const auto divisor = op && op->getLHS() == mention ? divisor_of(*op, ast) : 0;
    if (divisor < 2 || (use.divisor && use.divisor != divisor)) use.otherwise = true;
    use.divisor = divisor;
    if (!use.quotient) use.quotient = op;
  }
  return uses;
}

// Whether the kernel reads its scalars by vectors of that many.
bool works_on_vectors(const clang::FunctionDecl& kernel, std::int64_t width, const Unit& unit) {
  const auto casts = functionDecl(
      forEachDescendant(explicitCastExpr(hasDestinationType(pointerType())).bind("cast")));
  for (const auto& found : clang::ast_matchers::match(casts, kernel, unit.ast())) {
    const auto to = found.getNodeAs<clang::ExplicitCastExpr>("cast")->getType()->getPointeeType();
    const auto* vector = to->getAs<clang::VectorType>();
    if (vector && vector->getNumElements() == width) return true;
  }
  return false;
}

// The comments between the last declaration and this one.
std::string comment_before(const clang::Decl& declaration, const Unit& unit) {
  const auto place = unit.locate(declaration.getSourceRange());
  if (!place.is_known()) return {};
  const auto& source = unit.source_of(place);
  std::string comment;
  for (const auto& token : raw_tokens(source, Comments::kept)) {
    if (token.offset >= offset_of(source, place.range.begin)) break;
    if (token.is_comment()) comment += token.text;
    if (token.is(";") || token.is("}")) comment.clear();
  }
  return comment;
}

// "Assumes that rows are a multiple of 4": a contract, which the host keeps.
bool states_multiple(const clang::FunctionDecl& kernel, std::int64_t divisor, const Unit& unit) {
  const auto* pattern = kernel.getTemplateInstantiationPattern();
  const auto* written = pattern ? pattern : &kernel;
  const auto* whole = written->getDescribedFunctionTemplate();
  const auto comment = whole ? comment_before(*whole, unit) : comment_before(*written, unit);
  return comment.find(fmt::format("multiple of {}", divisor)) != std::string::npos ||
         comment.find(fmt::format("divisible by {}", divisor)) != std::string::npos;
}

}  // namespace

extern constinit const Rule divisibility{
    .severity = Severity::warning,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          for (const auto& [size, use] : uses_in(kernel, unit)) {
            if (use.otherwise || !use.quotient || !is_shared_number(*size) ||
                !works_on_vectors(kernel, use.divisor, unit) ||
                states_multiple(kernel, use.divisor, unit))
              continue;
            report(use.quotient->getSourceRange(),
                   fmt::format("if '{0}' is not a multiple of {1}, the last elements are skipped",
                               size->getNameAsString(), use.divisor));
          }
        },
};

}  // namespace msci
