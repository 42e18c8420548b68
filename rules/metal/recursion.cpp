#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>

#include <map>
#include <set>

#include "lint/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

using Function = clang::FunctionDecl;

struct Call {
  const Function* callee = nullptr;
  const clang::CallExpr* place = nullptr;
};
using Calls = std::map<const Function*, std::vector<Call>>;

// Who calls whom, in the order of the source.
Calls calls_in(const Unit& unit) {
  const auto calls =
      callExpr(callee(functionDecl().bind("callee")), hasAncestor(functionDecl().bind("caller")))
          .bind("call");
  Calls graph;
  for (const auto& found : match(calls, unit))
    graph[found.getNodeAs<Function>("caller")->getCanonicalDecl()].push_back(
        {found.getNodeAs<Function>("callee")->getCanonicalDecl(),
         found.getNodeAs<clang::CallExpr>("call")});
  return graph;
}

bool reaches(const Calls& graph, const Function* from, const Function* to,
             std::set<const Function*>& seen) {
  if (from == to) return true;
  if (!seen.insert(from).second) return false;
  const auto calls = graph.find(from);
  if (calls == graph.end()) return false;
  for (const auto& call : calls->second)
    if (reaches(graph, call.callee, to, seen)) return true;
  return false;
}

}  // namespace

extern constinit const Rule recursion{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto graph = calls_in(unit);
          for (const auto& [caller, calls] : graph)
            for (const auto& call : calls) {
              std::set<const Function*> seen;
              if (reaches(graph, call.callee, caller, seen))
                report(call.place->getBeginLoc(), "recursive calls are not supported in Metal");
            }
        },
    .checks_broken = true,
};

}  // namespace msci
