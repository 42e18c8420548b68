#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/kernel_arguments.h"
#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Whether threads of a grid access the element by their position, without an offset and without a
// condition on who does: two kernels then meet in it.
bool begins_at_buffer(const SharedAccess& access, const ThreadFlow& flow) {
  const auto threads = threads_of(access, flow);
  return threads.bounds.empty() && !threads.others &&
         std::ranges::all_of(access.indices, [](const IndexForm& index) {
           return index.uniform().terms.empty() && index.constant() == 0;
         });
}

// What a kernel does to one of its buffers.
struct BufferUse {
  std::string name;
  bool reads = false;
  bool writes = false;
};

// Nothing if the kernel has no such buffer, or more is done to it than can be seen.
std::optional<BufferUse> use_of(const Unit& unit, const std::string& kernel, unsigned index) {
  for (const auto& each : unit.kernels()) {
    if (each.name != kernel) continue;
    const auto* flow = thread_flow(*each.declaration, unit);
    if (!flow) return std::nullopt;
    const auto accesses = accesses_in(*flow, Space::device);
    for (const auto& argument : buffer_arguments(each, unit)) {
      if (argument.index != index || accesses.escaped.contains(argument.parameter)) continue;
      BufferUse use{argument.name};
      for (const auto& access : accesses.all) {
        if (access.memory != argument.parameter || !begins_at_buffer(access, *flow)) continue;
        (access.writes ? use.writes : use.reads) = true;
      }
      return use;
    }
  }
  return std::nullopt;
}

// The only binding at its index.
bool is_unique(const HostBinding& binding, const HostDispatch& dispatch) {
  return std::ranges::count(dispatch.bindings, binding.index, &HostBinding::index) == 1;
}

void check_shared_binding(const HostDispatch& first, const HostDispatch& second,
                          const HostBinding& bound, const Unit& unit, Reporter& report) {
  for (const auto& again : second.bindings) {
    if (bound.memory == 0 || again.memory != bound.memory) continue;
    if (!is_unique(bound, first) || !is_unique(again, second)) continue;
    const auto before = use_of(unit, first.kernel, bound.index);
    const auto after = use_of(unit, second.kernel, again.index);
    if (!before || !after) continue;
    const bool is_read = before->writes && after->reads;
    if (!is_read && !(before->reads && after->writes)) continue;
    const auto [file, place] = report.contract().host->place(first.range);
    report
        .in_host(second.range,
                 fmt::format("'{}' may run at the same time as '{}', which {} the buffer that it "
                             "{} as '{}': the encoder is concurrent, and no barrier lies between",
                             second.kernel, first.kernel, is_read ? "writes" : "reads",
                             is_read ? "reads" : "writes", after->name))
        .note(Place{file->name, place},
              fmt::format("'{}' is dispatched here, with the buffer as '{}'", first.kernel,
                          before->name));
    return;
  }
}

void check_pair(const HostDispatch& first, const HostDispatch& second, const Unit& unit,
                Reporter& report) {
  if (first.overlapping == 0 || first.overlapping != second.overlapping) return;
  if (!first.bindings_known || !second.bindings_known) return;
  for (const auto& bound : first.bindings) check_shared_binding(first, second, bound, unit, report);
}

}  // namespace

extern constinit const Rule concurrent_dispatches{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          if (!report.contract().host) return;
          const auto& all = report.contract().host->dispatched;
          for (std::size_t second = 0; second < all.size(); ++second)
            for (std::size_t first = 0; first < second; ++first)
              check_pair(all[first], all[second], unit, report);
        },
};

}  // namespace msci
