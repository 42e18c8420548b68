// What a CpuQueue keeps of a launch, and of each thread of the processor.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/checked_simdgroup.h"
#include "engine/lanes/lanes.h"
#include "engine/queue/cpu_queue.h"
#include "engine/vectors/specialise.h"

namespace msci::engine {

// Threads of the threadgroup at that position; those at the edges are smaller.
inline Extent threads_of(const Extent& grid, const Extent& threadgroup, const Extent& group) {
  const auto size = [](unsigned all, unsigned threads, unsigned position) {
    return std::min(threads, all - position * threads);
  };
  return {size(grid.x, threadgroup.x, group.x), size(grid.y, threadgroup.y, group.y),
          size(grid.z, threadgroup.z, group.z)};
}

struct CpuQueue::Prepared {
  const CompiledKernel* whole = nullptr;  // null if no threadgroup is whole
  const CompiledKernel* edge = nullptr;   // null if all are
  // In a counted run, the two kernels with counters in their code.
  const CompiledKernel* counted_whole = nullptr;
  const CompiledKernel* counted_edge = nullptr;
  std::string kernel_and_shape;
  std::vector<double> block_work;  // instructions of each block
  // Of a covered run: the kernel, and how many outcomes it marks.
  std::string symbol;
  std::size_t outcomes = 0;
  bool keeps_denormals = false;
  Extent grid;              // in whole threadgroups along x, if the kernel's shape is clipped
  unsigned grid_width = 0;  // along x, without what clipped threadgroups add
  Extent threadgroup;
  Extent groups;
  std::vector<std::uint64_t> arguments;
  // Arguments that are threadgroup memory, and where in it each begins.
  std::vector<std::pair<std::size_t, std::size_t>> threadgroup_arguments;
  std::size_t threadgroup_bytes = 0;
  // Of a checked kernel: where the shadow of threadgroup memory begins in it.
  std::optional<std::size_t> shadow;
  // Of a checked kernel: what its fences order depends on which access comes first.
  bool checks_fences = false;
  // Whether it may access buffers atomically.
  bool has_atomics = false;

  // Whether the findings of a checked launch must be the same each time.
  bool is_repeatable() const {
    return shadow && grid.count() <= (has_atomics ? most_repeatable_with_atomics : most_repeatable);
  }
  // Of a checked kernel: the words of its arguments behind and before its shadow (check_layout.h).
  const std::uint64_t* log() const { return words_of(-2); }
  unsigned index_bits() const {
    return static_cast<unsigned>(words_of(1)[ObjectTable::index_bits]);
  }

 private:
  // Several threads of the processor run such a launch only if they can make certain of its
  // findings, otherwise one. Atomic operations of threadgroups follow each other by chance, and one
  // thread takes long for many.
  static constexpr std::size_t most_repeatable = 65536;
  static constexpr std::size_t most_repeatable_with_atomics = 1024;

  const std::uint64_t* words_of(int from_group_shadow) const {
    const auto at = static_cast<std::ptrdiff_t>(threadgroup_arguments.back().first);
    return reinterpret_cast<const std::uint64_t*>(
        arguments[static_cast<std::size_t>(at + from_group_shadow)]);
  }
};

// A kernel whose code marks so many outcomes.
struct CpuQueue::CoveredKernel {
  std::string symbol;
  std::size_t outcomes = 0;
  std::size_t launch = 0;        // its first one
  double seconds_of_thread = 0;  // in its last launch, on one processor; 0 before the first

  // The most processors that are worth it for a launch of so many threads.
  std::size_t worthwhile_processors(std::size_t threads) const {
    const auto seconds = seconds_of_thread * static_cast<double>(threads);
    const auto by_time =
        static_cast<std::size_t>(std::min(seconds / least_seconds_of_processor, most_processors));
    return std::max({std::size_t{1}, by_time, threads / least_threads_of_processor});
  }

 private:
  // What another processor is worth waking for: so many seconds of one processor, or so many
  // threads before it is known how long they take. Covered launches are not timed, most are small,
  // and many verdicts run beside each other.
  static constexpr double least_seconds_of_processor = 2e-4;
  static constexpr double most_processors = 4096;
  static constexpr std::size_t least_threads_of_processor = std::size_t{1} << 16;
};

// What one thread of the processor needs to run threadgroups.
struct CpuQueue::Thread {
  explicit Thread(const Execution& execution) : simdgroup_order(execution, 1), lanes(execution) {}

  Stacks stacks;
  RunOrder simdgroup_order;
  Lanes lanes;
  std::optional<GuardedMemory> threadgroup_memory;
  std::vector<std::uint64_t> arguments;
  std::array<std::vector<std::uint32_t>, 3> local;
  Extent local_shape{0, 0, 0};
  CheckedThreadgroup checked;
  OutcomeRecord record;
  std::uint32_t* outcomes = nullptr;  // of the kernel that it runs
  std::optional<Trap> trap;
  bool overflowed = false;

  void fill_threadgroup_memory(std::byte with) {
    if (threadgroup_memory) fill_threadgroup_memory(with, threadgroup_memory->size());
  }
  // Its first bytes.
  void fill_threadgroup_memory(std::byte with, std::size_t bytes) {
    std::fill_n(threadgroup_memory->data(), bytes, with);
  }

  // The position of each thread of a threadgroup of that shape, for lanes that do not exist, too.
  void find_positions(const Extent& shape) {
    if (local_shape == shape) return;
    local_shape = shape;
    const auto count = (shape.count() + lane_count - 1) / lane_count * lane_count;
    for (auto& each : local) each.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = i / shape.x;
      local[0][i] = static_cast<std::uint32_t>(i % shape.x);
      local[1][i] = static_cast<std::uint32_t>(row % shape.y);
      local[2][i] = static_cast<std::uint32_t>(row / shape.y);
    }
  }
};

}  // namespace msci::engine
