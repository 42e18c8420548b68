// Why a kernel was stopped, from the trap of a thread of the processor.
#include <fmt/format.h>

#include <bit>
#include <csignal>
#include <cstring>
#include <tuple>

#include "engine/isolation/guard_accesses.h"
#include "engine/queue/cpu_launch.h"

namespace msci::engine {

// That of the first threadgroup that has one.
std::optional<Failure> CpuQueue::first_failure(const Prepared& launch) const {
  const Thread* first = nullptr;
  const auto position_of = [](const Thread& thread) {
    const auto& [x, y, z] = thread.checked.position.group;
    return std::tuple(z, y, x);
  };
  for (const auto& thread : of_threads_)
    if (thread->trap && (!first || position_of(*thread) < position_of(*first)))
      first = thread.get();
  if (!first) return std::nullopt;
  if (first->overflowed)
    return Failure{Failure::Cause::signal, "its private arrays need more memory than a stack has"};
  return failure_of(*first->trap, launch, *first);
}

// Where a checked kernel was in a loop.
std::string CpuQueue::loop_of(const Prepared& launch, const Thread& thread) const {
  const auto& position = thread.checked.position;
  const auto& places = kernels_.translation().places;
  if (position.loop == 0 || position.loop >= places.size()) return "";
  const auto& place = places[position.loop];
  const auto& [x, y, z] = position.group;
  const auto shape = threads_of(launch.grid, launch.threadgroup, {x, y, z});
  const auto index =
      position.simdgroup * lane_count + static_cast<unsigned>(std::countr_zero(position.lanes));
  return fmt::format(
      " in the loop at {}:{}: thread ({}, {}, {}) of threadgroup ({}, {}, {}) was there",
      place.file.empty() ? kernels_.translation().source_name : place.file, place.range.begin.line,
      index % shape.x, index / shape.x % shape.y, index / shape.x / shape.y, x, y, z);
}

Failure CpuQueue::failure_of(const Trap& trap, const Prepared& launch, const Thread& thread) const {
  if (trap.signal == SIGALRM)
    return {Failure::Cause::time_out, "stopped at the time limit" + loop_of(launch, thread)};
  if (const auto* place = left_memory(trap))
    return {Failure::Cause::outside, fmt::format("the kernel reads or writes outside {}", place)};
  return {Failure::Cause::signal, fmt::format("the kernel was stopped by signal {} ({})",
                                              trap.signal, ::strsignal(trap.signal))};
}

// What an access of the kernel left; null if the trap has another reason.
const char* CpuQueue::left_memory(const Trap& trap) const {
  if (trap.outside_array)
    return *trap.outside_array == static_cast<std::uint32_t>(GuardedArray::table)
               ? "a table of constants"
               : "its private arrays";
  if (trap.signal != SIGSEGV && trap.signal != SIGBUS) return nullptr;
  if (memory_.buffers->holds(trap.address)) return "its buffers";
  return memory_.threadgroups->holds(trap.address) ? "its threadgroup memory" : nullptr;
}

}  // namespace msci::engine
