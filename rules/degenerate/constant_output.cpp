#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>

#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

bool is_program_constant(const clang::VarDecl* variable) {
  return variable->hasGlobalStorage() && variable->hasInit() &&
         variable->getType().isConstQualified();
}

// A literal, or something calculated from program-scope constants.
bool is_constant(const TracedAccess& store, const clang::ASTContext& ast) {
  const auto* value = store.value;
  if (!value || value->isValueDependent()) return false;
  const auto& sources = store.stored.sources;
  return value->isCXX11ConstantExpr(ast) ||
         (!sources.empty() && std::all_of(sources.begin(), sources.end(), is_program_constant));
}

// What a choice by it would make an answer of: buffers, and arrays that hold what came from them.
bool is_data(const clang::VarDecl* variable) {
  return is_device_pointer(*variable) ||
         (!llvm::isa<clang::ParmVarDecl>(variable) && !is_program_constant(variable));
}

// Whether data decide where the constant goes: an index begins with the buffer itself.
bool is_chosen(const TracedAccess& store) {
  const auto& sources = store.index.sources;
  return std::any_of(sources.begin(), sources.end(), [&](const clang::VarDecl* each) {
    return each != store.object && is_data(each);
  });
}

// The first of a kernel's stores, where all of them store numbers known beforehand.
const TracedAccess* constant_store(const Trace& trace, const clang::ASTContext& ast) {
  if (std::any_of(trace.control.begin(), trace.control.end(), is_data)) return nullptr;
  const TracedAccess* first = nullptr;
  for (const auto& access : trace.accesses) {
    if (!is_device_pointer(*access.object)) continue;
    if (!access.stores) continue;  // of what is read, nothing may reach a store
    if (access.loads || !is_constant(access, ast) || is_chosen(access)) return nullptr;
    if (!first) first = &access;
  }
  return first;
}

bool has_inputs(const clang::FunctionDecl& kernel) {
  for (const auto* argument : kernel.parameters())
    if (is_device_pointer(*argument) && is_written_const(*argument)) return true;
  return false;
}

}  // namespace

extern constinit const Rule constant_output{
    .severity = Severity::warning,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          if (!has_inputs(kernel) || has_opaque_arguments(kernel)) return;
          const auto& tracer = traced(kernel, unit);
          const auto& trace = tracer.whole();
          if (!trace.complete || trace.stores_elsewhere) return;
          if (const auto* store = constant_store(trace, unit.ast()))
            report(store->place->getSourceRange(),
                   "this kernel stores only constants, whatever its inputs");
        },
};

}  // namespace msci
