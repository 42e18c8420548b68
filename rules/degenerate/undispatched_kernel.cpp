#include <fmt/format.h>

#include <algorithm>

#include "lint/rule.h"

namespace msci {
namespace {

constexpr Range start_of_host{{1, 1}, {1, 1}};

bool dispatches(const Host& host, const std::string& kernel) {
  return std::any_of(host.dispatched.begin(), host.dispatched.end(),
                     [&](const HostDispatch& each) { return each.kernel == kernel; });
}

bool mentions_kernel(const Host& host, const std::string& kernel) {
  return std::find(host.mentioned.begin(), host.mentioned.end(), kernel) != host.mentioned.end();
}

// The named ones, or else all: that no host needs all kernels of a source is only worth
// a warning, as long as it needs one.
void check_is_dispatched(const std::string& kernel, Severity severity, Reporter& report) {
  const auto& host = *report.contract().host;
  if (dispatches(host, kernel) || mentions_kernel(host, kernel)) return;
  bool fetched = false;
  for (const auto& fetch : host.fetched) {
    if (fetch.kernel != kernel) continue;
    fetched = true;
    report.in_host(fetch.range, fmt::format("'{}' is fetched here but never dispatched", kernel))
        .severity(severity);
  }
  if (!fetched && host.names_known)
    report.in_host(start_of_host, fmt::format("this host never asks for the kernel '{}'", kernel))
        .severity(severity);
}

}  // namespace

extern constinit const Rule undispatched_kernel{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto& contract = report.contract();
          const auto* host = contract.host.get();
          if (!host || !host->dispatches_known) return;
          const auto& kernels = unit.kernels();
          const bool any = std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& kernel) {
            return dispatches(*host, kernel.name);
          });
          for (const auto& kernel : kernels) {
            const bool needed = contract.kernels.empty() ? !any : contract.has_kernel(kernel.name);
            if (needed)
              check_is_dispatched(kernel.name, Severity::error, report);
            else if (contract.kernels.empty())
              check_is_dispatched(kernel.name, Severity::warning, report);
          }
        },
};

}  // namespace msci
