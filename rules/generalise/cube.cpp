#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/matchers.h"
#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

const clang::ParmVarDecl* argument_of(const clang::Expr* e) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  const auto* argument = name ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
  return argument && is_shared_number(*argument) ? argument : nullptr;
}

// Whether an index counts rows of that size: `… * NX`, alone or with something added.
bool counts_by(const clang::Expr* e, const clang::ParmVarDecl* size) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
  if (!op) return argument_of(e) == size;
  if (op->getOpcode() == clang::BO_Add)
    return counts_by(op->getLHS(), size) || counts_by(op->getRHS(), size);
  return op->getOpcode() == clang::BO_Mul &&
         (counts_by(op->getLHS(), size) || counts_by(op->getRHS(), size));
}

// Another extent of the same box: NY or NZ beside NX.
const clang::ParmVarDecl* sister_of(const clang::ParmVarDecl& size,
                                    const clang::FunctionDecl& kernel) {
  const auto name = size.getName();
  if (name.size() < 2 || !llvm::StringRef("xyzXYZ").contains(name.back())) return nullptr;
  for (const auto* each : kernel.parameters())
    if (each != &size && is_shared_number(*each) && each->getName().size() == name.size() &&
        each->getName().drop_back() == name.drop_back())
      return each;
  return nullptr;
}

// Whether the kernel asks if its extents are the same.
bool compares(const clang::ParmVarDecl& size, const clang::FunctionDecl& kernel, const Unit& unit) {
  const auto tests =
      functionDecl(forEachDescendant(binaryOperator(hasAnyOperatorName("==", "!=")).bind("test")));
  const auto all = clang::ast_matchers::match(tests, kernel, unit.ast());
  return std::any_of(all.begin(), all.end(), [&](const auto& found) {
    const auto& test = *found.template getNodeAs<clang::BinaryOperator>("test");
    const auto* left = argument_of(test.getLHS());
    const auto* right = argument_of(test.getRHS());
    return left && right && (left == &size || right == &size);
  });
}

}  // namespace

extern constinit const Rule cube{
    .severity = Severity::warning,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          static const auto products =
              functionDecl(forEachDescendant(binaryOperator(hasOperatorName("*")).bind("product")));
          for (const auto& found : clang::ast_matchers::match(products, kernel, unit.ast())) {
            const auto& product = *found.getNodeAs<clang::BinaryOperator>("product");
            if (!product.getType()->isIntegerType()) continue;
            const auto* right = argument_of(product.getRHS());
            const auto* left = argument_of(product.getLHS());
            const auto* size = right && counts_by(product.getLHS(), right) ? right
                               : left && counts_by(product.getRHS(), left) ? left
                                                                           : nullptr;
            const auto* sister = size ? sister_of(*size, kernel) : nullptr;
            if (!sister || compares(*size, kernel, unit)) continue;
            report(product.getSourceRange(),
                   fmt::format("'{0}' times '{0}' is the size of a layer only if '{1}' is equal",
                               size->getNameAsString(), sister->getNameAsString()));
          }
        },
};

}  // namespace msci
