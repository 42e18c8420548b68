#include <fmt/format.h>

#include <algorithm>

#include "lint/arguments.h"
#include "lint/rule.h"

namespace msci {
namespace {

// The first of these that its kernel may write.
std::optional<BoundArgument> written(const std::vector<BoundArgument>& all, const Unit& unit) {
  for (const auto& each : all)
    for (const auto& kernel : unit.kernels()) {
      if (kernel.name != each.kernel) continue;
      for (const auto& argument : buffer_arguments(kernel, unit))
        if (argument.index == each.index && argument.is_writable) return each;
    }
  return std::nullopt;
}

// Why this is the kernel's work, or nothing.
std::string reason_for(const CpuWork& work, const Host& host, const Unit& unit) {
  if (host.dispatched.empty())
    return work.remains && host.dispatches_known ? "no kernel is ever dispatched to do it" : "";
  const auto output = written(work.lands_in, unit);
  if (output && (work.remains || written(work.reads, unit)))
    return fmt::format("it overwrites what '{}' put into index {}", output->kernel, output->index);
  if (work.remains && work.handed_out && !output)
    return "it makes what the caller gets, in place of a kernel";
  return "";
}

}  // namespace

extern constinit const Rule cpu_fallback{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto* host = report.expectation().host.get();
          if (!host) return;
          for (const auto& work : host->cpu_work) {
            const auto reason = reason_for(work, *host, unit);
            if (reason.empty()) continue;
            const auto target = work.target.empty() ? "" : fmt::format(" into '{}'", work.target);
            report.in_host(work.range, fmt::format("{} computes{} with the processor: {}",
                                                   work.call, target, reason));
          }
        },
};

}  // namespace msci
