#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include "lint/analysis/matchers.h"
#include "lint/analysis/typical.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// Threads of a simdgroup on every Apple GPU.
constexpr std::int64_t width = 32;

}  // namespace

extern constinit const Rule barrier_in_simdgroup_only_code{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto calls = functionDecl(forEachDescendant(
              callExpr(callee(functionDecl(hasName("threadgroup_barrier")))).bind("call")));
          for (const auto& kernel : typical_kernels(unit)) {
            const auto limit =
                unit.attribute(*kernel.declaration, "max_total_threads_per_threadgroup");
            if (!limit || !limit->value || *limit->value > width) continue;
            for (const auto& found :
                 clang::ast_matchers::match(calls, *kernel.declaration, unit.ast()))
              report(found.getNodeAs<clang::CallExpr>("call")->getSourceRange(),
                     fmt::format("a threadgroup of at most {} threads is one simdgroup; "
                                 "simdgroup_barrier is enough",
                                 *limit->value));
          }
        },
};

}  // namespace msci
