#include <fmt/format.h>

#include <algorithm>

#include "lint/host/words/host_language.h"
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

bool is_interpreted(const Host& host) {
  return std::ranges::all_of(host.files, [](const Source& file) {
    return host::language_of(file.name) == host::HostLanguage::c_family;
  });
}

// Where the host was not followed, if a kernel that it needs may be dispatched there. Such a place
// is a dispatch without a kernel's name.
void explain_gap(const Host& host, const Unit& unit, Reporter& report) {
  const auto& contract = report.contract();
  const auto unseen = std::ranges::find_if(unit.kernels(), [&](const Kernel& kernel) {
    return (contract.kernels.empty() || contract.has_kernel(kernel.name)) &&
           !dispatches(host, kernel.name) && !mentions_kernel(host, kernel.name);
  });
  if (unseen == unit.kernels().end()) return;
  const auto note = [&](const Range& range, std::string_view why) {
    report
        .in_host(range,
                 fmt::format("whether '{}' is dispatched is not known: {}", unseen->name, why))
        .severity(Severity::note);
  };
  const auto gap = std::ranges::find(host.dispatched, "", &HostDispatch::kernel);
  if (gap != host.dispatched.end())
    note(gap->range, "other files may call or use what stands here");
  else if (host.fetched.empty() && host.libraries == 0 && host.failure.empty() &&
           is_interpreted(host))
    note(start_of_host, "these files ask for no kernel");
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
          if (!host) return;
          if (!host->dispatches_known) return explain_gap(*host, unit, report);
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
