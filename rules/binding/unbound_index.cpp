#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/arguments.h"
#include "lint/rule.h"

namespace msci {
namespace {

template <typename Bindings>
bool has(const Bindings& bindings, unsigned index) {
  return std::any_of(bindings.begin(), bindings.end(),
                     [&](const auto& each) { return each.index == index; });
}

void check_promises(const Kernel& kernel, const Unit& unit, Reporter& report) {
  const auto& expectation = report.expectation();
  std::vector<Promise> promises;
  for (const auto& each : expectation.promises)
    if (each.kernel == kernel.name) promises.push_back(each);
  if (promises.empty()) return;
  for (const auto& argument : buffer_arguments(kernel, unit))
    if (!has(promises, argument.index))
      report(argument.parameter->getLocation(),
             fmt::format("{} binds nothing to index {} of '{}'", expectation.from, argument.index,
                         kernel.name));
}

void check_dispatches(const Kernel& kernel, const Unit& unit, Reporter& report) {
  for (const auto& dispatch : report.expectation().host->dispatched) {
    if (dispatch.kernel != kernel.name || !dispatch.bindings_known) continue;
    for (const auto& argument : buffer_arguments(kernel, unit))
      if (!has(dispatch.bindings, argument.index))
        report.in_host(dispatch.range,
                       fmt::format("nothing is bound to index {}, where '{}' takes '{}'",
                                   argument.index, kernel.name, argument.name));
  }
}

}  // namespace

extern constinit const Rule unbound_index{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& kernel : unit.kernels()) {
            check_promises(kernel, unit, report);
            if (report.expectation().host) check_dispatches(kernel, unit, report);
          }
        },
};

}  // namespace msci
