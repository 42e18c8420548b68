#include <clang/AST/Decl.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "lint/rule.h"

namespace msci {
namespace {

using Function = clang::FunctionDecl;

struct Call {
  const Function* callee = nullptr;
  const clang::CallExpr* place = nullptr;
};
using Calls = std::map<const Function*, std::vector<Call>>;

// Who calls whom, in the order of the source.
class Callers : public clang::DynamicRecursiveASTVisitor {
  using Base = clang::DynamicRecursiveASTVisitor;

 public:
  Calls graph;

  Callers() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool TraverseDecl(clang::Decl* declaration) override {
    const auto* function = llvm::dyn_cast_or_null<Function>(declaration);
    const auto* outer = std::exchange(caller_, function ? function : caller_);
    const bool goes_on = Base::TraverseDecl(declaration);
    caller_ = outer;
    return goes_on;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* callee = llvm::dyn_cast_or_null<Function>(call->getCalleeDecl());
    if (callee && caller_)
      graph[caller_->getCanonicalDecl()].push_back({callee->getCanonicalDecl(), call});
    return true;
  }

 private:
  const Function* caller_ = nullptr;
};

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

// Whether a function can end with this call, and with nothing behind it.
bool ends_with(const clang::Stmt* statement, const clang::CallExpr* call) {
  if (!statement) return false;
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return !block->body_empty() && ends_with(block->body_back(), call);
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement))
    return ends_with(branch->getThen(), call) || ends_with(branch->getElse(), call);
  if (const auto* returned = llvm::dyn_cast<clang::ReturnStmt>(statement))
    return ends_with(returned->getRetValue(), call);
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  return expression && expression->IgnoreParenImpCasts()->IgnoreImplicit() == call;
}

// The optimiser makes a loop of a function that calls itself at its end.
bool becomes_a_loop(const Function* function, const Call& call) {
  const Function* definition = nullptr;
  return call.callee == function && function->hasBody(definition) &&
         ends_with(definition->getBody(), call.place);
}

// Metal has a stack since metal2.4.
void report_call(const clang::CallExpr& call, const Unit& unit, Reporter& report) {
  if (unit.version().number < 240)
    report(call.getBeginLoc(), "recursive calls are not supported in Metal");
  else
    report(call.getBeginLoc(), "recursive calls need a stack in memory, which is slow")
        .severity(Severity::warning);
}

}  // namespace

extern constinit const Rule recursion{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          Callers callers;
          callers.TraverseAST(unit.ast());
          const auto& graph = callers.graph;
          for (const auto& [function, calls] : graph)
            for (const auto& call : calls) {
              std::set<const Function*> seen;
              if (!becomes_a_loop(function, call) && reaches(graph, call.callee, function, seen))
                report_call(*call.place, unit, report);
            }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
