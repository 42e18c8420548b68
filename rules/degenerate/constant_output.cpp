#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>

#include "lint/rule.h"
#include "lint/trace.h"

namespace msci {
namespace {

bool is_program_constant(const clang::VarDecl* variable) {
  return variable->hasGlobalStorage() && variable->hasInit() &&
         variable->getType().isConstQualified();
}

// A literal, or something calculated from program-scope constants.
bool is_constant(const Access& store, const clang::ASTContext& ast) {
  const auto* value = store.value;
  if (!value || value->isValueDependent()) return false;
  const auto& sources = store.stored.sources;
  return value->isCXX11ConstantExpr(ast) ||
         (!sources.empty() && std::all_of(sources.begin(), sources.end(), is_program_constant));
}

// The first of a kernel's stores, where all of them store numbers known beforehand.
const Access* constant_store(const Trace& trace, const clang::ASTContext& ast) {
  const Access* first = nullptr;
  for (const auto& access : trace.accesses) {
    if (!is_device_pointer(*access.object)) continue;
    if (access.loads) return nullptr;  // the choice of what to store may depend on it
    if (!is_constant(access, ast)) return nullptr;
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
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& kernel : unit.kernels()) {
            const auto& declaration = *kernel.declaration;
            if (!has_inputs(declaration) || has_opaque_arguments(declaration)) continue;
            const Tracer tracer(unit, declaration);
            const auto& trace = tracer.whole();
            if (!trace.complete || trace.stores_elsewhere) continue;
            if (const auto* store = constant_store(trace, unit.ast()))
              report(store->place->getSourceRange(),
                     "all that this kernel stores is known beforehand, whatever its inputs");
          }
        },
};

}  // namespace msci
