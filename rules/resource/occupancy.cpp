#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>

#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "lint/rule.h"

namespace msci {
namespace {

// With so many threads, a core is never idle for want of them; more registers each allow fewer.
constexpr unsigned full = 1024;
constexpr unsigned most_registers = 256;  // of 16 bits, of a thread
// Of the estimate: what is less far beyond a limit may still fit.
constexpr double error = 1.25;

unsigned percent(unsigned threads) { return 100 * std::min(threads, full) / full; }

// Registers beyond what a thread can have may spill, or the compiler orders the code in another
// way: only a limit that the kernel declares itself makes that certain enough.
std::string on_registers(const KernelResources& kernel) {
  const bool spills = kernel.thread_limit > 0 && kernel.registers <= 2 * most_registers &&
                      kernel.registers > error * kernel.registers_allowed;
  if (spills)
    return fmt::format(
        "about {} 16-bit registers a thread, but threadgroups of {} threads leave {}: the others "
        "spill",
        kernel.registers, kernel.thread_limit, kernel.registers_allowed);
  if (kernel.registers > most_registers || kernel.threads_by_registers >= full) return {};
  return fmt::format("about {} 16-bit registers a thread: {} threads a core, {} % occupancy",
                     kernel.registers, kernel.threads_by_registers,
                     percent(kernel.threads_by_registers));
}

std::string on_memory(const KernelResources& kernel) {
  if (kernel.groups_by_memory == 0 || kernel.thread_limit == 0) return {};
  const auto threads = kernel.groups_by_memory * kernel.thread_limit;
  if (threads >= std::min(full, kernel.threads_by_registers)) return {};
  return fmt::format(
      "{} bytes of threadgroup memory: {} threadgroup{} of at most {} threads a core, {} % "
      "occupancy",
      kernel.threadgroup_bytes, kernel.groups_by_memory, kernel.groups_by_memory == 1 ? "" : "s",
      kernel.thread_limit, percent(threads));
}

}  // namespace

extern constinit const Rule occupancy{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto find = report.find_resources();
          if (!find) return;
          // Generating code changes a unit, so another one is taken.
          auto copy = parse_again(unit);
          if (!copy) return;
          for (const auto& resources : find(*copy))
            for (const auto& kernel : unit.kernels()) {
              if (kernel.name != resources.kernel) continue;
              for (const auto& message : {on_memory(resources), on_registers(resources)})
                if (!message.empty()) report(kernel.declaration->getLocation(), message);
            }
        },
};

}  // namespace msci
