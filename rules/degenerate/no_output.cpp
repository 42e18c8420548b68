#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/matchers.h"
#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// An argument under a function constant is not there in all pipelines.
bool is_output(const clang::ParmVarDecl& argument, const Unit& unit) {
  return is_device_pointer(argument) && !is_written_const(argument) &&
         !is_listed_by_macro(argument) && !unit.attribute(argument, "function_constant");
}

bool is_required(const clang::FunctionDecl& kernel, const Unit& unit, const Contract& contract) {
  return std::ranges::any_of(unit.kernels(), [&](const Kernel& each) {
    return each.declaration == &kernel && contract.has_kernel(each.name);
  });
}

// A kernel without statements keeps a place, unless it is required, or it is to have a result and
// no kernel of the source does anything.
bool keeps_a_place(const clang::FunctionDecl& kernel, const Unit& unit, const Contract& contract) {
  if (!is_placeholder(kernel) || is_required(kernel, unit, contract)) return false;
  const auto has_result = [&](const auto* argument) { return is_output(*argument, unit); };
  const auto does_nothing = [](const Kernel& each) { return is_placeholder(*each.declaration); };
  return std::ranges::none_of(kernel.parameters(), has_result) ||
         !std::ranges::all_of(unit.kernels(), does_nothing);
}

// Whether a kernel is there to wait: it has a fence.
bool waits(const clang::FunctionDecl& kernel, const Unit& unit) {
  const auto fences = match(callExpr(callee(functionDecl(hasName("atomic_thread_fence"))),
                                     forFunction(functionDecl(equalsNode(&kernel)))),
                            unit);
  return !fences.empty();
}

}  // namespace

extern constinit const Rule no_output{
    .severity = Severity::warning,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          if (has_opaque_arguments(kernel) || keeps_a_place(kernel, unit, report.contract()))
            return;
          const auto& tracer = traced(kernel, unit);
          const auto& trace = tracer.whole();
          const bool stores = std::any_of(
              trace.accesses.begin(), trace.accesses.end(),
              [](const auto& each) { return each.stores && is_device_pointer(*each.object); });
          if (!trace.complete || trace.stores_elsewhere) return;
          if (!stores && waits(kernel, unit)) return;
          if (!stores) {
            report(kernel.getLocation(),
                   "this kernel stores nothing to any buffer, so it has no result");
            return;
          }
          for (const auto* argument : kernel.parameters())
            if (is_output(*argument, unit) && !trace.read.contains(argument))
              report(argument->getLocation(),
                     fmt::format("the output '{}' is never written", argument->getNameAsString()));
        },
};

}  // namespace msci
