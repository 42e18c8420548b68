#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <fmt/format.h>

#include <algorithm>

#include "compiler/frontend/clang_messages.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

bool is_metals_matrix(const clang::CXXRecordDecl& record, const Unit& unit) {
  return record.getIdentifier() && record.getName() == "matrix" &&
         !unit.is_users(record.getLocation());
}

// Whether an object of this type is a matrix, or holds one that only a constructor of the
// compiler's own could make. Nothing is known about structs that have constructors, and of unions.
bool holds_matrix(clang::QualType type, const Unit& unit, int depth = 0) {
  constexpr int deepest = 16;
  const auto* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || depth > deepest) return false;
  if (is_metals_matrix(*record, unit)) return true;
  if (!unit.is_users(record->getLocation()) || record->isUnion() ||
      record->hasUserDeclaredConstructor())
    return false;
  return std::any_of(record->field_begin(), record->field_end(), [&](const auto* field) {
    return holds_matrix(field->getType(), unit, depth + 1);
  });
}

}  // namespace

extern constinit const Rule threadgroup_matrix{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto locals = varDecl(isStaticLocal()).bind("variable");
          for (const auto& found : match(locals, unit)) {
            const auto& variable = *found.getNodeAs<clang::VarDecl>("variable");
            const auto type = variable.getType();
            if (type->isDependentType() || space_of(type) != Space::threadgroup ||
                !holds_matrix(type, unit))
              continue;
            const auto name = to_metal_terms(type.getAsString(unit.ast().getPrintingPolicy()), "");
            report(variable.getLocation(),
                   fmt::format("no matching constructor for initialization of '{}'; use an array "
                               "of its columns in threadgroup memory",
                               name));
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
