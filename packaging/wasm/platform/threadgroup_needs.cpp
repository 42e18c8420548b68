// Without an optimiser, what a kernel needs is what its own source declares and uses. Variables in
// branches that constants decide count nowhere, since the optimiser may drop them.
#include "lint/proofs/threadgroup_needs.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include "lint/analysis/expressions.h"

namespace msci {
namespace {

// The variables that the body itself declares, outside of branches and loops.
std::uint64_t bytes_declared_in(const clang::Stmt& body, const clang::ASTContext& ast) {
  std::uint64_t bytes = 0;
  for (const auto* statement : body.children()) {
    const auto* declarations = llvm::dyn_cast_or_null<clang::DeclStmt>(statement);
    if (!declarations) continue;
    for (const auto* each : declarations->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (!variable || !variable->isUsed() || space_of(variable->getType()) != Space::threadgroup)
        continue;
      bytes = llvm::alignTo(bytes, ast.getDeclAlign(variable).getAsAlign()) +
              static_cast<std::uint64_t>(ast.getTypeSizeInChars(variable->getType()).getQuantity());
    }
  }
  return bytes;
}

}  // namespace

std::vector<ThreadgroupNeeds> threadgroup_needs(const std::vector<Kernel>& kernels,
                                                const Unit& unit) {
  std::vector<ThreadgroupNeeds> needs;
  for (const auto& kernel : kernels) {
    const auto* body = kernel.declaration->getBody();
    const auto bytes = body ? bytes_declared_in(*body, unit.ast()) : 0;
    needs.push_back({.most = bytes, .always = bytes});
  }
  return needs;
}

}  // namespace msci
