#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include "lint/analysis/trace.h"
#include "lint/analysis/typical.h"
#include "lint/rule.h"

namespace msci {
namespace {

// What a result depends on: buffers to read, and real numbers. Sizes may be known otherwise.
bool is_input(const clang::ParmVarDecl& argument) {
  if (is_device_pointer(argument)) return is_written_const(argument);
  return is_shared_number(argument) && argument.getType()->getPointeeType()->isFloatingType();
}

}  // namespace

extern constinit const Rule input_ignored{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& kernel : typical_kernels(unit)) {
            const auto& tracer = traced(*kernel.declaration, unit);
            const auto& trace = tracer.whole();
            if (!trace.complete) continue;
            for (const auto* argument : kernel.declaration->parameters())
              if (is_input(*argument) && !trace.read.contains(argument))
                report(argument->getLocation(),
                       fmt::format("the result cannot depend on '{}': it is never read",
                                   argument->getNameAsString()));
          }
        },
};

}  // namespace msci
