#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include <set>

#include "lint/analysis/flow/thread_flow.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Tables of fewer entries are as well a choice between registers.
constexpr std::uint64_t fewest = 4;

// An array of a thread's own that holds the same numbers in all threads, and keeps them.
bool is_table(const clang::VarDecl& variable, const ThreadFlow& flow) {
  auto& ast = flow.unit().ast();
  const auto* array = ast.getAsConstantArrayType(variable.getType());
  const auto* numbers = variable.getInit();
  return array && ast.getConstantArrayElementCount(array) >= fewest && variable.hasLocalStorage() &&
         space_of(variable.getType()) == Space::thread && numbers &&
         variable.getType().isConstQualified() && !numbers->isValueDependent() &&
         numbers->isConstantInitializer(ast, /*ForRef=*/false);
}

void check_constant_table(const ThreadFlow& flow, Reporter& report) {
  std::set<const clang::VarDecl*> said;
  for (const auto* statement : flow.statements()) {
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(statement);
    const auto* table = element ? root_variable(element->getBase()) : nullptr;
    if (!table || !is_table(*table, flow) ||
        flow.divergence(element->getIdx()) != Divergence::thread)
      continue;
    if (!said.insert(table).second) continue;
    report(table->getLocation(),
           fmt::format("each thread creates its own copy of the constant table '{}'",
                       table->getNameAsString()))
        .note(element->getSourceRange(),
              "threads read different entries here, so it cannot stay in registers");
  }
}

}  // namespace

extern constinit const Rule constant_table{
    .severity = Severity::note,
    .check_flow = check_constant_table,
};

}  // namespace msci
