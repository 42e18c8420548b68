#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/rule.h"

namespace msci {
namespace {

bool is_there(const std::string& name, const Unit& unit) {
  const auto& kernels = unit.kernels();
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const Kernel& kernel) { return kernel.name == name; });
}

// A host with several libraries may well have other kernels than these.
void check_host(const Host& host, const Unit& unit, Reporter& report) {
  if (host.libraries > 1) return;
  for (const auto& fetch : host.fetched)
    if (!is_there(fetch.kernel, unit))
      report.in_host(fetch.range, fmt::format("this host asks for a kernel called '{}', and there "
                                              "is none",
                                              fetch.kernel));
}

}  // namespace

extern constinit const Rule missing_kernel{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto& kernels = unit.kernels();
          const auto& expectation = report.expectation();
          for (const auto& name : expectation.kernels) {
            if (is_there(name, unit)) continue;
            const auto message = fmt::format(
                "{} dispatches a kernel called '{}', and there is none", expectation.from, name);
            if (kernels.empty())
              report(Range{{1, 1}, {1, 1}}, message);
            else
              report(kernels.front().declaration->getLocation(), message);
          }
          if (expectation.host) check_host(*expectation.host, unit, report);
        },
};

}  // namespace msci
