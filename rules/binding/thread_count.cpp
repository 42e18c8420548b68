#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include "base/metal_limits.h"
#include "lint/rule.h"

namespace msci {
namespace {

void check_thread_count(const HostDispatch& dispatch, const Kernel& kernel, const Unit& unit,
                        Reporter& report) {
  const auto threads = *dispatch.threads;
  const auto attribute = unit.attribute(*kernel.declaration, "max_total_threads_per_threadgroup");
  const auto allowed = attribute && attribute->value && *attribute->value > 0
                           ? static_cast<std::size_t>(*attribute->value)
                           : threadgroup_thread_limit;
  if (threads == 0)
    report.in_host(dispatch.range, "a threadgroup has at least one thread");
  else if (threads > threadgroup_thread_limit)
    report.in_host(dispatch.range,
                   fmt::format("a threadgroup of {} threads is dispatched, but it has at most {}",
                               threads, threadgroup_thread_limit));
  else if (threads > allowed)
    report.in_host(dispatch.range,
                   fmt::format("a threadgroup of {} threads is dispatched, but '{}' allows {}",
                               threads, kernel.name, allowed));
}

}  // namespace

extern constinit const Rule thread_count{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto& host = report.contract().host;
          if (!host) return;
          for (const auto& kernel : unit.kernels())
            for (const auto& dispatch : host->dispatched)
              if (dispatch.kernel == kernel.name && dispatch.threads)
                check_thread_count(dispatch, kernel, unit, report);
        },
};

}  // namespace msci
