#include "lint/analysis/sharing/called.h"

#include <clang/AST/DeclCXX.h>

#include <algorithm>
#include <map>

namespace msci {
namespace {

using Arguments = std::map<const clang::VarDecl*, IndexForm>;

bool gets_threadgroup_memory(const clang::FunctionDecl& function) {
  return std::any_of(function.param_begin(), function.param_end(), [](const auto* parameter) {
    const auto type = parameter->getType();
    return type->isPointerType() && space_of(type->getPointeeType()) == Space::threadgroup;
  });
}

// A function of the user that does not wait for other threads; null otherwise.
const clang::FunctionDecl* plain_callee(const clang::CallExpr& call, const ThreadFlow& flow) {
  const auto* callee = call.getDirectCallee();
  const clang::FunctionDecl* body = nullptr;
  if (!callee || !flow.unit().is_users(callee->getLocation()) || !callee->hasBody(body) ||
      llvm::isa<clang::CXXMethodDecl>(body) || !gets_threadgroup_memory(*body) ||
      body->getNumParams() != call.getNumArgs())
    return nullptr;
  const auto& waiting = flow.barrier_calls();
  return std::find(waiting.begin(), waiting.end(), &call) == waiting.end() ? body : nullptr;
}

// The caller's forms in place of parameters. Nothing if a parameter without a form, or an
// expression that contains a parameter, appears in it.
std::optional<IndexForm> in_caller(const IndexForm& form, const Arguments& arguments) {
  IndexForm result;
  for (const auto& [product, count] : form.terms) {
    auto term = constant_form(count);
    for (const auto& atom : product) {
      const auto argument = arguments.find(atom.variable);
      if (argument != arguments.end() && atom.text.empty()) {
        term = term * argument->second;
      } else if (argument == arguments.end() && atom.variable &&
                 atom.divergence == Divergence::none) {
        IndexForm itself;
        itself.terms[{atom}] = 1;
        term = term * itself;
      } else {
        return std::nullopt;
      }
    }
    result = result + term;
  }
  return result;
}

std::optional<Threads> in_caller(const Threads& threads, const Arguments& arguments) {
  Threads result;
  result.others = threads.others;
  for (const auto& bound : threads.bounds) {
    const auto varying = in_caller(bound.varying, arguments);
    const auto uniform = in_caller(bound.uniform, arguments);
    if (!varying || !uniform) return std::nullopt;
    result.bounds.push_back({bound.operation, *varying, *uniform});
  }
  return result;
}

std::vector<CalledAccess> find_accesses(const clang::CallExpr& call, const ThreadFlow& flow) {
  const auto* callee = plain_callee(call, flow);
  if (!callee) return {};
  const auto called = ThreadFlow::of(*callee, flow.unit(), arguments_of(call, *callee, flow));
  if (!called || !called->barriers().empty()) return {};
  Arguments arguments;
  std::map<const clang::VarDecl*, const clang::Expr*> pointers;
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const auto* parameter = callee->getParamDecl(i);
    if (!called->is_fixed(parameter)) continue;
    if (parameter->getType()->isPointerType())
      pointers[parameter] = call.getArg(i);
    else if (parameter->getType()->isIntegerType())
      arguments[parameter] = index_form(call.getArg(i), flow);
  }
  std::vector<CalledAccess> found;
  for (auto& access : own_accesses_in(*called, Space::threadgroup).all) {
    const auto pointer = pointers.find(access.memory);
    if (pointer == pointers.end() || access.indices.size() != 1) continue;
    const auto index = in_caller(access.indices.front(), arguments);
    auto within = in_caller(threads_left_at(access.when, *called), arguments);
    if (!index || !within) continue;
    access.indices = {*index};
    access.within = *std::move(within);
    found.push_back({std::move(access), pointer->second});
  }
  return found;
}

}  // namespace

const std::vector<CalledAccess>& accesses_of_call(const clang::CallExpr& call,
                                                  const ThreadFlow& flow) {
  return flow.unit().cache().get<std::vector<CalledAccess>>(
      &call, [&] { return find_accesses(call, flow); });
}

}  // namespace msci
