#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/kernel_arguments.h"
#include "lint/rule.h"

namespace msci {
namespace {

bool has(const std::vector<ContractArgument>& arguments, ArgumentKind kind, unsigned index) {
  return std::ranges::any_of(arguments, [&](const ContractArgument& each) {
    return each.kind == kind && each.index == index;
  });
}

bool has(const std::vector<HostBinding>& bindings, unsigned index) {
  return std::ranges::find(bindings, index, &HostBinding::index) != bindings.end();
}

void check_contract_indices(const KernelContract& contract, const Kernel& kernel, const Unit& unit,
                            Reporter& report) {
  if (contract.name != kernel.name || contract.arguments.empty()) return;
  for (const auto& argument : buffer_arguments(kernel, unit))
    if (!argument.is_conditional && !has(contract.arguments, ArgumentKind::buffer, argument.index))
      report(argument.parameter->getLocation(),
             fmt::format("{} binds nothing to index {} of '{}'", report.contract().from,
                         argument.index, kernel.name));
  for (const auto& argument : texture_arguments(kernel, unit))
    if (!has(contract.arguments, argument.kind, argument.index))
      report(argument.parameter->getLocation(),
             fmt::format("{} binds nothing to {} {} of '{}'", report.contract().from,
                         to_string(argument.kind), argument.index, kernel.name));
}

void check_dispatches(const Kernel& kernel, const Unit& unit, Reporter& report) {
  for (const auto& dispatch : report.contract().host->dispatched) {
    if (dispatch.kernel != kernel.name || !dispatch.bindings_known) continue;
    for (const auto& argument : buffer_arguments(kernel, unit))
      if (!argument.is_conditional && !has(dispatch.bindings, argument.index))
        report.in_host(dispatch.range,
                       fmt::format("nothing is bound to index {}, which '{}' uses for '{}'",
                                   argument.index, kernel.name, argument.name));
  }
}

}  // namespace

extern constinit const Rule unbound_index{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& kernel : unit.kernels()) {
            for (const auto& contract : report.contract().kernels)
              check_contract_indices(contract, kernel, unit, report);
            if (report.contract().host) check_dispatches(kernel, unit, report);
          }
        },
};

}  // namespace msci
