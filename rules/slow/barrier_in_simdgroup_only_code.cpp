#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include "base/metal_limits.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule barrier_in_simdgroup_only_code{
    .severity = Severity::note,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          static const auto calls = functionDecl(forEachDescendant(
              callExpr(callee(functionDecl(hasName("threadgroup_barrier")))).bind("call")));
          const auto limit = unit.attribute(kernel, "max_total_threads_per_threadgroup");
          if (!limit || !limit->value || *limit->value > simdgroup_lanes) return;
          for (const auto& found : clang::ast_matchers::match(calls, kernel, unit.ast()))
            report(found.getNodeAs<clang::CallExpr>("call")->getSourceRange(),
                   fmt::format("a threadgroup of at most {} threads is one simdgroup; "
                               "simdgroup_barrier is enough",
                               *limit->value));
        },
};

}  // namespace msci
