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

// Hosts also fetch functions that draw, and that kernels call by pointer.
bool has_function(const std::string& name, const Unit& unit) {
  auto& ast = unit.ast();
  const auto found = ast.getTranslationUnitDecl()->lookup(&ast.Idents.get(name));
  return std::ranges::any_of(found, [](const clang::NamedDecl* each) {
    return llvm::isa<clang::FunctionDecl>(each) && each->hasAttrs();
  });
}

// A host with several libraries may well have other kernels than these.
void check_fetched_kernels(const Host& host, const Unit& unit, Reporter& report) {
  if (host.libraries > 1) return;
  for (const auto& fetch : host.fetched)
    if (!is_there(fetch.kernel, unit) && !has_function(fetch.kernel, unit))
      report.in_host(
          fetch.range,
          fmt::format("this host asks for kernel '{}', but no source defines it", fetch.kernel));
}

}  // namespace

extern constinit const Rule missing_kernel{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto& kernels = unit.kernels();
          const auto& contract = report.contract();
          for (const auto& [name, arguments] : contract.kernels) {
            if (is_there(name, unit)) continue;
            const auto message =
                fmt::format("{} dispatches kernel '{}', but this source does not define it",
                            contract.from, name);
            if (kernels.empty())
              report(Place{"", {{1, 1}, {1, 1}}}, message);
            else
              report(kernels.front().declaration->getLocation(), message);
          }
          if (contract.host) check_fetched_kernels(*contract.host, unit, report);
        },
};

}  // namespace msci
