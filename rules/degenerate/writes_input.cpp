#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {

extern constinit const Rule writes_input{
    .severity = Severity::warning,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          const auto& tracer = traced(kernel, unit);
          for (const auto& access : tracer.whole().accesses) {
            if (!access.stores || !is_device_pointer(*access.object) ||
                !is_written_const(*access.object))
              continue;
            report(access.place->getSourceRange(),
                   fmt::format("this stores to '{}', which is declared const",
                               access.object->getNameAsString()))
                .note(access.object->getSourceRange(), "the host treats it as an input");
          }
        },
};

}  // namespace msci
