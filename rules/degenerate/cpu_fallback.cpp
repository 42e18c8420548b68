#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/kernel_arguments.h"
#include "lint/rule.h"

namespace msci {
namespace {

// The first of these that its kernel may write.
std::optional<BoundArgument> first_written(const std::vector<BoundArgument>& all,
                                           const Unit& unit) {
  for (const auto& each : all)
    for (const auto& kernel : unit.kernels()) {
      if (kernel.name != each.kernel) continue;
      for (const auto& argument : buffer_arguments(kernel, unit))
        if (argument.index == each.index && argument.is_writable) return each;
    }
  return std::nullopt;
}

struct Verdict {
  Severity severity = Severity::error;
  std::string reason;
};

// Whether it goes on with what the kernels computed.
bool only_reads_results(const CpuWork& work, const Unit& unit) {
  return !work.reads.empty() && std::ranges::all_of(work.reads, [&](const BoundArgument& each) {
    return first_written({each}, unit).has_value();
  });
}

// Why this is the kernel's work, or nothing.
std::optional<Verdict> verdict_on(const CpuWork& work, const Host& host, const Unit& unit) {
  if (host.dispatched.empty()) {
    if (!work.remains || !host.dispatches_known) return std::nullopt;
    return Verdict{.reason = "no kernel is dispatched for it"};
  }
  const auto output = first_written(work.lands_in, unit);
  if (!output) {
    if (!work.remains || !work.handed_out || !host.dispatches_known) return std::nullopt;
    return Verdict{.reason = "the caller gets this result instead of a kernel's"};
  }
  if (!work.remains && !first_written(work.reads, unit)) return std::nullopt;
  const auto place = fmt::format("what '{}' stored in index {}", output->kernel, output->index);
  if (work.in_buffer) return Verdict{.reason = "it overwrites " + place};
  if (work.handed_out)
    return Verdict{only_reads_results(work, unit) ? Severity::warning : Severity::error,
                   fmt::format("it changes the copy of {} that the caller gets", place)};
  // A median, a picture: what a host shows of a result may well be its own to compute.
  return Verdict{Severity::warning, "it changes a copy of " + place};
}

struct Judged {
  const CpuWork* work;
  Verdict verdict;
};

// Whether an error at this place, or what becomes of the copy there, says more than the warning.
bool is_said_at(const CpuWork& work, const std::vector<Judged>& all) {
  return std::any_of(all.begin(), all.end(), [&](const Judged& each) {
    return each.work->range == work.range && (each.verdict.severity == Severity::error ||
                                              (each.work->handed_out && !work.handed_out));
  });
}

}  // namespace

extern constinit const Rule cpu_fallback{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto* host = report.contract().host.get();
          if (!host) return;
          std::vector<Judged> all;
          for (const auto& work : host->cpu_work)
            if (auto verdict = verdict_on(work, *host, unit)) all.push_back({&work, *verdict});
          for (const auto& [work, verdict] : all) {
            // What changes a copy first, and is copied over the output then, is said once.
            if (verdict.severity == Severity::warning && is_said_at(*work, all)) continue;
            const auto target = work->target.empty() ? "" : fmt::format(" into '{}'", work->target);
            report
                .in_host(work->range, fmt::format("{} computes{} on the CPU: {}", work->call,
                                                  target, verdict.reason))
                .severity(verdict.severity);
          }
        },
};

}  // namespace msci
