#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Fewer elements make a stencil's weights, not a result.
constexpr std::uint64_t smallest_table = 32;

bool is_result_table(const clang::VarDecl& variable, const Unit& unit) {
  if (!variable.hasGlobalStorage() || !variable.hasInit()) return false;
  const auto* array = unit.ast().getAsConstantArrayType(variable.getType());
  return array && unit.ast().getConstantArrayElementCount(array) >= smallest_table;
}

}  // namespace

extern constinit const Rule result_table{
    .severity = Severity::warning,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          const auto& tracer = traced(kernel, unit);
          for (const auto& access : tracer.whole().accesses) {
            const auto* table = access.stored.copied_from;
            if (!access.stores || !is_device_pointer(*access.object) || !table ||
                !access.stored.copied || !is_result_table(*table, unit))
              continue;
            report(access.place->getSourceRange(),
                   fmt::format("the result is taken from the table '{}', not computed",
                               table->getNameAsString()))
                .note(table->getLocation(), "the results are in the source");
          }
        },
};

}  // namespace msci
