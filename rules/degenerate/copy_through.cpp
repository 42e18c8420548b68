#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/expressions.h"
#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

const clang::Expr* index_of(const clang::Expr* place) {
  const auto* element =
      place ? llvm::dyn_cast<clang::ArraySubscriptExpr>(place->IgnoreParenImpCasts()) : nullptr;
  return element ? element->getIdx() : nullptr;
}

bool at_same_index(const TracedAccess& access, const clang::ASTContext& ast) {
  const auto* to = index_of(access.place);
  const auto* from = index_of(access.stored.copied);
  return to && from && is_same(*to, *from, ast);
}

// The first of a kernel's stores, where all of them copy elements of inputs to the same places.
const TracedAccess* copying_store(const Trace& trace, const clang::ASTContext& ast) {
  const TracedAccess* first = nullptr;
  for (const auto& access : trace.accesses) {
    if (!access.stores || !is_device_pointer(*access.object)) continue;
    const auto* from = access.stored.copied_from;
    if (access.loads || !access.stored.copied || !from || from == access.object ||
        !is_device_pointer(*from) || !is_written_const(*from) || !at_same_index(access, ast))
      return nullptr;
    if (!first) first = &access;
  }
  return first;
}

// An input that a real result would need: a kernel that has none of them is a copy by intent.
const clang::ParmVarDecl* unused_input(const clang::FunctionDecl& kernel, const Trace& trace) {
  for (const auto* argument : kernel.parameters()) {
    const bool is_input =
        (is_device_pointer(*argument) && is_written_const(*argument)) ||
        (is_shared_number(*argument) && argument->getType()->getPointeeType()->isFloatingType());
    if (is_input && !trace.read.contains(argument)) return argument;
  }
  return nullptr;
}

}  // namespace

extern constinit const Rule copy_through{
    .severity = Severity::warning,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          if (has_opaque_arguments(kernel)) return;
          const auto& tracer = traced(kernel, unit);
          const auto& trace = tracer.whole();
          if (!trace.complete || trace.stores_elsewhere) return;
          const auto* store = copying_store(trace, unit.ast());
          const auto* unused = unused_input(kernel, trace);
          if (!store || !unused) return;
          report(store->place->getSourceRange(),
                 fmt::format("this kernel only copies '{}' to '{}'",
                             store->stored.copied_from->getNameAsString(),
                             store->object->getNameAsString()))
              .note(unused->getSourceRange(), "and ignores this input");
        },
};

}  // namespace msci
