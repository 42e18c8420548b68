#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/thread_flow.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Bytes of arrays of a thread's own that leave no room for a full threadgroup of 1024.
constexpr std::int64_t largest = 256;

std::int64_t bytes_of(const clang::VarDecl& variable, const Unit& unit) {
  const auto type = variable.getType();
  if (!variable.hasLocalStorage() || !type->isConstantArrayType() || type->isDependentType() ||
      space_of(type) != Space::thread)
    return 0;
  return unit.ast().getTypeSizeInChars(type).getQuantity();
}

// The most bytes of a thread's own arrays that are there at a time: those of a block, and of the
// largest block or function of the user's inside it.
std::int64_t bytes_in(const clang::Stmt* statement, const Unit& unit) {
  if (!statement) return 0;
  std::int64_t own = 0, inside = 0;
  for (const auto* child : statement->children()) {
    inside = std::max(inside, bytes_in(child, unit));
    if (const auto* declarations = llvm::dyn_cast_or_null<clang::DeclStmt>(child))
      for (const auto* each : declarations->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each))
          own += bytes_of(*variable, unit);
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) {
    const auto* callee = call->getDirectCallee();
    const clang::FunctionDecl* body = nullptr;
    // Metal has no recursion.
    if (unit.compiled() && callee && callee->hasBody(body) && unit.is_users(body->getLocation()))
      inside = std::max(inside, bytes_in(body->getBody(), unit));
  }
  return own + inside;
}

}  // namespace

extern constinit const Rule missing_thread_limit{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& flow : cooperative_flows(unit)) {
            const auto& function = flow.function();
            if (!unit.attribute(function, "kernel") ||
                unit.attribute(function, "max_total_threads_per_threadgroup"))
              continue;
            const auto bytes = bytes_in(function.getBody(), unit);
            if (bytes > largest)
              report(function.getLocation(),
                     fmt::format("each thread keeps arrays of {} bytes, and nothing says how many "
                                 "of its threads a threadgroup must have room for",
                                 bytes));
          }
        },
};

}  // namespace msci
