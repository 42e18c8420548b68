#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// Bytes: what no thread can hope to keep in registers beside its other variables.
constexpr std::int64_t largest_array = 512;

}  // namespace

extern constinit const Rule private_array{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto arrays =
              varDecl(hasLocalStorage(), unless(parmVarDecl()), hasType(constantArrayType()))
                  .bind("array");
          for (const auto& found : match(arrays, unit)) {
            const auto& array = *found.getNodeAs<clang::VarDecl>("array");
            const auto type = array.getType();
            if (type->isDependentType() || space_of(type) != Space::thread) continue;
            const auto bytes = unit.ast().getTypeSizeInChars(type).getQuantity();
            if (bytes > largest_array)
              report(array.getLocation(),
                     fmt::format("'{}' takes {} bytes per thread, more than its registers hold",
                                 array.getNameAsString(), bytes));
          }
        },
};

}  // namespace msci
