#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

bool is_output(const clang::ParmVarDecl& argument) {
  return is_device_pointer(argument) && !is_written_const(argument);
}

}  // namespace

extern constinit const Rule no_output{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& kernel : unit.kernels()) {
            const auto& declaration = *kernel.declaration;
            if (has_opaque_arguments(declaration)) continue;
            const auto& tracer = traced(declaration, unit);
            const auto& trace = tracer.whole();
            const bool stores = std::any_of(
                trace.accesses.begin(), trace.accesses.end(),
                [](const Access& each) { return each.stores && is_device_pointer(*each.object); });
            if (!trace.complete || trace.stores_elsewhere) continue;
            if (!stores) {
              report(declaration.getLocation(),
                     "this kernel stores nothing to any buffer, so it has no result");
              continue;
            }
            for (const auto* argument : declaration.parameters())
              if (is_output(*argument) && !trace.read.contains(argument))
                report(argument->getLocation(), fmt::format("the output '{}' is never written",
                                                            argument->getNameAsString()));
          }
        },
};

}  // namespace msci
