#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <fmt/format.h>

#include "lint/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// The most bytes that one threadgroup may use.
constexpr std::int64_t limit = 32768;

struct Usage {
  std::int64_t bytes = 0;
  std::vector<const clang::VarDecl*> variables;
};

// The threadgroup variables of a kernel that are used at all.
Usage usage_of(const clang::FunctionDecl& kernel, const Unit& unit) {
  const auto declarations =
      functionDecl(forEachDescendant(varDecl(isStaticLocal()).bind("variable")));
  Usage usage;
  auto& ast = unit.ast();
  for (const auto& found : clang::ast_matchers::match(declarations, kernel, ast)) {
    const auto& variable = *found.getNodeAs<clang::VarDecl>("variable");
    const auto type = variable.getType();
    if (!variable.isUsed() || space_of(type) != Space::threadgroup || type->isDependentType() ||
        type->isIncompleteType())
      continue;
    const auto aligned = llvm::alignTo(usage.bytes, ast.getDeclAlign(&variable).getQuantity());
    usage.bytes = static_cast<std::int64_t>(aligned) + ast.getTypeSizeInChars(type).getQuantity();
    usage.variables.push_back(&variable);
  }
  return usage;
}

}  // namespace

extern constinit const Rule threadgroup_memory{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& kernel : unit.kernels()) {
            const auto usage = usage_of(*kernel.declaration, unit);
            if (usage.bytes <= limit) continue;
            auto draft = report(
                kernel.declaration->getLocation(),
                fmt::format("threadgroup memory size ({}) exceeds the maximum threadgroup memory "
                            "allowed ({}), unless the compiler removes some of it",
                            usage.bytes, limit));
            for (const auto* variable : usage.variables)
              draft.note(
                  variable->getLocation(),
                  fmt::format("{} bytes",
                              unit.ast().getTypeSizeInChars(variable->getType()).getQuantity()));
          }
        },
};

}  // namespace msci
