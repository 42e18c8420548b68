#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <algorithm>

#include "lint/analysis/flow/barriers_in.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/representatives.h"

namespace msci {
namespace {

bool is_cooperative(const clang::FunctionDecl& function, const Unit& unit) {
  for (const auto* parameter : function.parameters()) {
    const auto type = parameter->getType();
    if ((type->isPointerType() || type->isReferenceType()) &&
        space_of(type->getPointeeType()) == Space::threadgroup)
      return true;
  }
  class Finder : public clang::DynamicRecursiveASTVisitor {
   public:
    bool VisitVarDecl(clang::VarDecl* variable) override {
      found = found || space_of(variable->getType()) == Space::threadgroup;
      return !found;
    }
    bool found = false;
  } finder;
  finder.TraverseStmt(function.getBody());
  return finder.found || has_barrier(function, Among::threadgroup_or_simdgroup, unit);
}

using Callees = std::map<const clang::FunctionDecl*, ArgumentFlows>;

// Adds what a flow's calls hand to functions in which threads meet.
void collect_callees(const ThreadFlow& flow, Callees& callees) {
  for (const auto* call : flow.calls()) {
    const auto* callee = call->getDirectCallee();
    const clang::FunctionDecl* body = nullptr;
    if (!callee || !flow.unit().is_users(callee->getLocation()) || !callee->hasBody(body) ||
        llvm::isa<clang::CXXMethodDecl>(body) || !is_cooperative(*body, flow.unit()))
      continue;
    const bool known = callees.contains(body);
    auto& bindings = callees[body];
    for (const auto& [parameter, argument] : arguments_of(*call, *body, flow)) {
      auto& binding = bindings[parameter];
      binding.divergence = std::max(binding.divergence, argument.divergence);
      if (known && binding.position != argument.position)
        binding.position = Position::none;
      else
        binding.position = argument.position;
    }
  }
}

std::vector<ThreadFlow> make_cooperative_flows(const Unit& unit) {
  std::vector<ThreadFlow> flows;
  std::set<const clang::FunctionDecl*> seen;
  const auto add = [&](const clang::FunctionDecl& function, const ArgumentFlows& bindings) {
    if (!seen.insert(&function).second) return;
    if (auto flow = ThreadFlow::of(function, unit, bindings)) flows.push_back(std::move(*flow));
  };
  for (const auto& kernel : representative_kernels(unit))
    if (is_cooperative(*kernel.declaration, unit)) add(*kernel.declaration, {});
  for (std::size_t begin = 0; begin < flows.size();) {
    Callees callees;
    for (; begin < flows.size(); ++begin) collect_callees(flows[begin], callees);
    for (const auto& [function, bindings] : callees) add(*function, bindings);
  }
  return flows;
}

}  // namespace

const std::vector<ThreadFlow>& cooperative_flows(const Unit& unit) {
  return unit.cache().get<std::vector<ThreadFlow>>(&unit,
                                                   [&] { return make_cooperative_flows(unit); });
}

}  // namespace msci
