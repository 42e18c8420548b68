#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/rule.h"

namespace msci {

extern constinit const Rule missing_kernel{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto& kernels = unit.kernels();
          const auto& expectation = report.expectation();
          for (const auto& name : expectation.kernels) {
            const auto is_it = [&](const Kernel& kernel) { return kernel.name == name; };
            if (std::any_of(kernels.begin(), kernels.end(), is_it)) continue;
            const auto message = fmt::format(
                "{} dispatches a kernel called '{}', and there is none", expectation.from, name);
            if (kernels.empty())
              report(Range{{1, 1}, {1, 1}}, message);
            else
              report(kernels.front().declaration->getLocation(), message);
          }
        },
};

}  // namespace msci
