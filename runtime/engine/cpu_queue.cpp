#include "runtime/engine/cpu_queue.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csignal>
#include <cstring>
#include <tuple>

#include "instrument/check/runtime/checked_simdgroup.h"
#include "runtime/engine/isolation/guard_accesses.h"
#include "runtime/engine/lanes/lanes.h"
#include "runtime/engine/vectors/specialise.h"

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace msci::engine {

namespace {

// Denormals are zero, as on Apple's GPUs, unless the kernel keeps them.
class Denormals {
 public:
#ifdef __x86_64__
  explicit Denormals(bool kept) : before_(_mm_getcsr()) {
    _mm_setcsr(kept ? before_ & ~0x8040U : before_ | 0x8040U);
  }
  ~Denormals() { _mm_setcsr(before_); }
  Denormals(const Denormals&) = delete;
  Denormals& operator=(const Denormals&) = delete;

 private:
  unsigned before_;
#else
  explicit Denormals(bool /*kept*/) {}
#endif
};

Extent count_groups(const Extent& grid, const Extent& threadgroup) {
  const auto up = [](unsigned a, unsigned b) { return (a + b - 1) / b; };
  return {up(grid.x, threadgroup.x), up(grid.y, threadgroup.y), up(grid.z, threadgroup.z)};
}

// Threads of the threadgroup at that position; those at the edges are smaller.
Extent threads_of(const Extent& grid, const Extent& threadgroup, const Extent& group) {
  const auto size = [](unsigned all, unsigned threads, unsigned position) {
    return std::min(threads, all - position * threads);
  };
  return {size(grid.x, threadgroup.x, group.x), size(grid.y, threadgroup.y, group.y),
          size(grid.z, threadgroup.z, group.z)};
}

constexpr std::size_t argument_align = 16;
// Threads of a checked launch whose findings are the same each time: several threads of the
// processor run it only if they can make certain of that, otherwise one. Atomic operations of
// threadgroups follow each other by chance, and one thread takes long for many.
constexpr std::size_t most_repeatable = 65536;
constexpr std::size_t most_repeatable_with_atomics = 1024;
// Threads of a covered launch for which another processor is worth waking. Such launches are not
// timed, most are small, and many verdicts run beside each other.
constexpr std::size_t least_of_processor = 1024;
constexpr std::byte junk{junk_byte};
constexpr std::size_t most_buffers = 192;  // of a plan
constexpr std::size_t least_threadgroup_memory = std::size_t{64} << 10;
constexpr std::size_t most_on_stack = std::size_t{1} << 20;  // of a thread's own stack

bool accesses_buffers_atomically(const Translation& translation, const std::string& symbol) {
  const auto kernel = std::ranges::find(translation.kernels, symbol, &KernelSignature::symbol);
  if (kernel == translation.kernels.end()) return true;
  if (kernel->anywhere && kernel->anywhere->atomic) return true;
  for (std::size_t i = 0; i < kernel->arguments.size(); ++i)
    if (is_device_memory(kernel->arguments[i].kind) && kernel->objects[i].atomic) return true;
  return false;
}

}  // namespace

Result<const CompiledKernel*> Kernels::find(const std::string& symbol, std::optional<Extent> shape,
                                            const Execution& execution, bool distinct,
                                            bool counted) {
  const bool covered = execution.counted && !execution.lane_by_lane;
  const auto key =
      fmt::format("{} {} {} {} {} {} {}", symbol,
                  shape ? fmt::format("{}x{}x{}", shape->x, shape->y, shape->z) : "any",
                  execution.vector_bits, execution.lane_by_lane, distinct, counted, covered);
  if (const auto found = compiled_.find(key); found != compiled_.end()) return &found->second;
  auto options = options_of(symbol, distinct);
  options.shape = shape;
  options.vector_bits = execution.vector_bits;
  options.counted = counted;
  options.covered = covered;
  auto compiled = jit_.compile(translation_.ir, symbol, options, execution.lane_by_lane);
  if (!compiled) return compiled.error();
  return &compiled_.emplace(key, *compiled).first->second;
}

Result<std::string> Kernels::assembly(const std::string& symbol) {
  auto options = options_of(symbol, /*distinct=*/true);
  options.with_lines = true;
  return jit_.assembly(translation_.ir, symbol, options);
}

VectorOptions Kernels::options_of(const std::string& symbol, bool distinct) const {
  VectorOptions options{.checked = translation_.is_checked()};
  for (const auto& kernel : translation_.kernels) {
    if (kernel.symbol != symbol) continue;
    for (const auto& argument : kernel.arguments) {
      const bool is_buffer = is_device_memory(argument.kind);
      options.alone.push_back(is_buffer && distinct);
      options.constant.push_back(is_buffer && argument.constant);
      if (!is_buffer) continue;
      options.alone.push_back(false);  // the offset
      options.constant.push_back(false);
    }
  }
  return options;
}

struct CpuQueue::Prepared {
  const CompiledKernel* whole = nullptr;  // null if no threadgroup is whole
  const CompiledKernel* edge = nullptr;   // null if all are
  // The same of a counted run, with counters.
  const CompiledKernel* counted_whole = nullptr;
  const CompiledKernel* counted_edge = nullptr;
  std::string kernel_and_shape;
  // Of a covered run: the kernel, and how many outcomes it marks.
  std::string symbol;
  std::size_t outcomes = 0;
  bool keeps_denormals = false;
  Extent grid;
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

  bool is_repeatable() const {
    return shadow && grid.count() <= (has_atomics ? most_repeatable_with_atomics : most_repeatable);
  }
  // Of a checked kernel: the words of its arguments behind and before its shadow (check_layout.h).
  const std::uint64_t* log() const { return words_of(-2); }
  unsigned index_bits() const {
    return static_cast<unsigned>(words_of(1)[ObjectTable::index_bits]);
  }

 private:
  const std::uint64_t* words_of(int from_group_shadow) const {
    const auto at = static_cast<std::ptrdiff_t>(threadgroup_arguments.back().first);
    return reinterpret_cast<const std::uint64_t*>(
        arguments[static_cast<std::size_t>(at + from_group_shadow)]);
  }
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
    if (threadgroup_memory)
      std::fill_n(threadgroup_memory->data(), threadgroup_memory->size(), with);
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

Result<KernelMemory> KernelMemory::reserve(std::size_t threads) {
  KernelMemory memory{Arena::reserve(most_buffers), Arena::reserve(threads)};
  if (memory.buffers && memory.threadgroups) return memory;
  return Error{
      "the device 'cpu' keeps buffers apart by terabytes of address space, of which the system "
      "gives too little; remove the limit of `ulimit -v`"};
}

CpuQueue::CpuQueue(Kernels& kernels, ThreadPool& threads, KernelMemory& memory,
                   const Execution& execution, bool distinct, bool spreads_checks)
    : kernels_(kernels),
      threads_(threads),
      memory_(memory),
      execution_(execution),
      group_order_(execution, 0),
      distinct_(distinct),
      spreads_checks_(spreads_checks) {
  prepare_for_traps();
  for (unsigned i = 0; i < threads.size(); ++i)
    of_threads_.push_back(std::make_unique<Thread>(execution));
}

CpuQueue::~CpuQueue() = default;

bool CpuQueue::counts_work() const {
  return execution_.counted && execution_.order == Execution::Order::parallel &&
         !execution_.lane_by_lane;
}

Result<DeviceMemory> CpuQueue::allocate(std::size_t bytes) {
  auto memory = memory_.buffers->allocate(bytes);
  if (!memory) return Error{"out of memory"};
  memories_.push_back(*std::move(memory));
  return DeviceMemory{memories_.size() - 1};
}

Result<DeviceMemory> CpuQueue::allocate_hidden(std::size_t bytes) {
  auto memory = GuardedMemory::allocate(bytes);
  if (!memory) return Error{"out of memory"};
  memories_.push_back(*std::move(memory));
  return DeviceMemory{memories_.size() - 1};
}

std::optional<Error> CpuQueue::write(DeviceMemory to, std::size_t offset,
                                     std::span<const std::byte> contents) {
  std::memcpy(memories_[to.index].data() + offset, contents.data(), contents.size());
  return std::nullopt;
}

std::optional<Error> CpuQueue::fill(DeviceMemory to, std::size_t offset, std::size_t bytes,
                                    unsigned char value) {
  std::memset(memories_[to.index].data() + offset, value, bytes);
  return std::nullopt;
}

std::optional<Error> CpuQueue::read(DeviceMemory from, std::size_t offset,
                                    std::span<std::byte> to) {
  std::memcpy(to.data(), memories_[from.index].data() + offset, to.size());
  return std::nullopt;
}

Result<std::uint64_t> CpuQueue::address(DeviceMemory memory) {
  return reinterpret_cast<std::uint64_t>(memories_[memory.index].data());
}

Result<bool> CpuQueue::test(DeviceMemory memory, std::size_t offset, std::size_t bytes,
                            const Test& passes) {
  return passes({memories_[memory.index].data() + offset, bytes});
}

void CpuQueue::overwrite_other_memory() {
  for (auto& thread : of_threads_) thread->fill_threadgroup_memory(junk);
}

Result<PreparedLaunch> CpuQueue::prepare(const std::string& symbol, const Extent& grid,
                                         const Extent& threadgroup,
                                         std::span<const Argument> arguments) {
  auto prepared = std::make_unique<Prepared>();
  prepared->grid = grid;
  prepared->threadgroup = threadgroup;
  prepared->groups = count_groups(grid, threadgroup);
  prepared->symbol = symbol;
  const bool has_whole =
      grid.x >= threadgroup.x && grid.y >= threadgroup.y && grid.z >= threadgroup.z;
  const bool has_edge =
      grid.x % threadgroup.x != 0 || grid.y % threadgroup.y != 0 || grid.z % threadgroup.z != 0;
  std::size_t static_bytes = 0;
  const auto find = [&](const CompiledKernel*& kernel, std::optional<Extent> shape,
                        bool counted) -> std::optional<Error> {
    const auto found = kernels_.find(symbol, shape, execution_, distinct_, counted);
    if (!found) return found.error();
    kernel = *found;
    static_bytes = std::max(static_bytes, kernel->needs.threadgroup_bytes);
    prepared->outcomes = std::max(prepared->outcomes, kernel->needs.outcomes);
    prepared->checks_fences = prepared->checks_fences || kernel->needs.checks_fences;
    prepared->keeps_denormals = kernel->keeps_denormals;
    return std::nullopt;
  };
  if (has_whole)
    if (auto error = find(prepared->whole, threadgroup, false)) return *error;
  if (has_edge)
    if (auto error = find(prepared->edge, std::nullopt, false)) return *error;
  if (counts_work() && prepared->outcomes == 0) {
    if (has_whole)
      if (auto error = find(prepared->counted_whole, threadgroup, true)) return *error;
    if (has_edge)
      if (auto error = find(prepared->counted_edge, std::nullopt, true)) return *error;
    prepared->kernel_and_shape = fmt::format("{} {} {} {} {} {} {}", symbol, grid.x, grid.y, grid.z,
                                             threadgroup.x, threadgroup.y, threadgroup.z);
  }

  auto bytes = static_bytes;
  for (const auto& argument : arguments) {
    std::uint64_t word = 0;
    if (const auto* memory = std::get_if<DeviceMemory>(&argument)) {
      word = reinterpret_cast<std::uint64_t>(memories_[memory->index].data());
    } else if (const auto* local = std::get_if<ThreadgroupBytes>(&argument)) {
      bytes = (bytes + argument_align - 1) / argument_align * argument_align;
      prepared->threadgroup_arguments.emplace_back(prepared->arguments.size(), bytes);
      bytes += local->count;
    } else if (const auto* number = std::get_if<std::uint64_t>(&argument)) {
      word = *number;
    } else {
      word = std::get<std::uint32_t>(argument);
    }
    prepared->arguments.push_back(word);
  }
  prepared->threadgroup_bytes = bytes;
  if (auto error = enlarge_threadgroup_memory(bytes)) return *error;
  if (kernels_.translation().is_checked()) {
    prepared->shadow = prepared->threadgroup_arguments.back().second;
    prepared->has_atomics = accesses_buffers_atomically(kernels_.translation(), symbol);
  }
  prepared_.push_back(std::move(prepared));
  return PreparedLaunch{prepared_.size() - 1};
}

std::optional<Failure> CpuQueue::launch(PreparedLaunch launch, Timestamps record) {
  const auto& prepared = *prepared_[launch.index];
  if (record.start) start_ = std::chrono::steady_clock::now();
  if (record.start) launched_ = 0;
  std::atomic<std::size_t> next = 0;
  const bool in_order = execution_.order != Execution::Order::parallel;
  if (prepared.outcomes > 0) note_covered(prepared);
  const auto counted = counts_work() && prepared.outcomes == 0 ? begin_counting(prepared)
                                                               : std::vector<GroupRange>{};
  const auto threads = threads_for(prepared);
  const bool is_spread = threads > 1 && prepared.is_repeatable();
  begin_notes(prepared, is_spread ? threads : 0);
  threads_.run(threads, [&](unsigned number) {
    auto& thread = *of_threads_[number];
    const Denormals denormals(prepared.keeps_denormals);
    prepare_thread(prepared, thread);
    thread.trap = guarded([&] {
      if (number == 0 && !counted.empty()) run_counted(prepared, thread, counted);
      in_order ? run_in_order(prepared, thread) : run_threadgroups(prepared, thread, counted, next);
    });
    if (thread.trap) {
      thread.overflowed = thread.stacks.is_guard(thread.trap->address) ||
                          thread.lanes.is_guard(thread.trap->address);
      next = prepared.groups.count();  // the other threads stop
    }
  });
  auto failure = first_failure(prepared);
  // After the time limit, nothing can be repeated.
  must_repeat_ = is_spread && !is_time_up() &&
                 (failure || !spread_.is_certain(threads_, prepared.index_bits()));
  if (record.end) end_ = std::chrono::steady_clock::now();
  if (must_repeat_ && !failure) return Failure{Failure::Cause::signal, "the order was not certain"};
  return failure;
}

// How many threads of the processor run a launch.
unsigned CpuQueue::threads_for(const Prepared& launch) const {
  const bool in_order = execution_.order != Execution::Order::parallel;
  const bool must_be_alone = launch.is_repeatable() && (launch.has_atomics || !spreads_checks_);
  if (in_order || launch.checks_fences || must_be_alone) return 1;
  const auto most = launch.outcomes > 0
                        ? std::max<std::size_t>(1, launch.grid.count() / least_of_processor)
                        : launch.groups.count();
  return static_cast<unsigned>(
      std::min<std::size_t>({threads_.size(), launch.groups.count(), most}));
}

// Of a checked launch that so many threads of the processor run together; 0 for others.
void CpuQueue::begin_notes(const Prepared& launch, unsigned threads) {
  if (!launch.shadow) return;
  std::vector<CheckedThread*> noting;
  for (auto& thread : of_threads_) {
    thread->checked.notes = {};
    if (noting.size() < threads) noting.push_back(&thread->checked);
  }
  if (threads > 0) spread_.begin(noting, launch.log());
}

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

std::optional<Error> CpuQueue::enlarge_threadgroup_memory(std::size_t bytes) {
  bytes = std::max(bytes, least_threadgroup_memory);
  for (auto& thread : of_threads_) {
    auto& memory = thread->threadgroup_memory;
    if (memory && memory->size() >= bytes) continue;
    memory.reset();  // a thread has one window
    auto larger = memory_.threadgroups->allocate(bytes);
    if (!larger) return Error{"out of memory for the memory of threadgroups"};
    memory.emplace(*std::move(larger));
  }
  return std::nullopt;
}

void CpuQueue::prepare_thread(const Prepared& launch, Thread& thread) {
  thread.arguments = launch.arguments;
  thread.outcomes = thread.record.words_for(launch.symbol, launch.outcomes);
  for (const auto& [argument, offset] : launch.threadgroup_arguments)
    thread.arguments[argument] =
        reinterpret_cast<std::uint64_t>(thread.threadgroup_memory->data() + offset);
}

// A kernel's outcomes belong to its first launch.
void CpuQueue::note_covered(const Prepared& launch) {
  const auto number = launched_++;
  const auto known = std::ranges::find(covered_, launch.symbol, &CoveredKernel::symbol);
  if (known == covered_.end())
    covered_.push_back({launch.symbol, launch.outcomes, number});
  else
    known->outcomes = std::max(known->outcomes, launch.outcomes);
}

// Sets up the counts of the next launch. The threadgroups to count; none if others stand for it.
std::vector<GroupRange> CpuQueue::begin_counting(const Prepared& launch) {
  const auto number = launched_++;
  if (!sampled_.add(launch.kernel_and_shape, number)) return {};
  const auto simdgroups = (launch.threadgroup.count() + lane_count - 1) / lane_count;
  auto& counts = counts_.emplace_back();
  counts.launch = number;
  counts.threadgroup_bytes = launch.threadgroup_bytes;
  for (const auto* kernel : {launch.counted_whole, launch.counted_edge}) {
    if (!kernel) continue;
    counts.blocks.resize(std::max(counts.blocks.size(), kernel->needs.blocks));
    counts.sites.resize(std::max(counts.sites.size(), kernel->needs.sites));
  }
  counter_.begin_launch(counts);
  return sampled_groups(launch.groups.count(), simdgroups);
}

void CpuQueue::run_counted(const Prepared& launch, Thread& thread,
                           const std::vector<GroupRange>& ranges) {
  for (const auto& range : ranges)
    for (auto group = range.begin; group < range.end; ++group) {
      counter_.begin_threadgroup(group == range.begin);
      run_row(launch, thread, group, group + 1, true);
    }
}

std::vector<LaunchCounts> CpuQueue::counts() const {
  auto counts = counts_;
  const auto weights = sampled_.weights();
  for (auto& each : counts) each.weight = weights.at(each.launch);
  for (const auto& kernel : covered_) {
    auto& seen = counts.emplace_back(LaunchCounts{.launch = kernel.launch});
    seen.blocks.resize(kernel.outcomes);
    for (const auto& thread : of_threads_) thread->record.add_to(kernel.symbol, seen.blocks);
  }
  return counts;
}

// Threads take the next few threadgroups until none is left; `counted` are done already.
void CpuQueue::run_threadgroups(const Prepared& launch, Thread& thread,
                                const std::vector<GroupRange>& counted,
                                std::atomic<std::size_t>& next) {
  const auto range_behind = [&](std::size_t group) {
    return std::find_if(counted.begin(), counted.end(),
                        [&](const GroupRange& range) { return range.end > group; });
  };
  constexpr std::size_t parts_per_thread = 8;
  const auto count = launch.groups.count();
  const auto step = std::max<std::size_t>(1, count / (threads_.size() * parts_per_thread));
  for (auto first = next.fetch_add(step); first < count; first = next.fetch_add(step)) {
    const auto end = std::min(count, first + step);
    for (auto at = first; at < end;) {
      const auto range = range_behind(at);
      if (range == counted.end())
        at = run_row(launch, thread, at, end);
      else if (at < range->begin)
        at = run_row(launch, thread, at, std::min(end, range->begin));
      else
        at = range->end;
    }
  }
}

void CpuQueue::run_in_order(const Prepared& launch, Thread& thread) {
  const auto count = static_cast<std::uint32_t>(launch.groups.count());
  for (const auto group : group_order_.next(count)) {
    thread.fill_threadgroup_memory(junk);
    run_row(launch, thread, group, group + 1);
  }
}

// Runs equal threadgroups that lie beside each other; the number of the next one.
std::size_t CpuQueue::run_row(const Prepared& launch, Thread& thread, std::size_t first,
                              std::size_t end, bool counted) {
  const auto& groups = launch.groups;
  const Extent group{static_cast<unsigned>(first % groups.x),
                     static_cast<unsigned>(first / groups.x % groups.y),
                     static_cast<unsigned>(first / groups.x / groups.y)};
  const auto shape = threads_of(launch.grid, launch.threadgroup, group);
  const unsigned full_width = launch.grid.x / launch.threadgroup.x;  // the last may be smaller
  const auto row_end = group.x < full_width ? full_width : groups.x;
  auto count = static_cast<unsigned>(std::min<std::size_t>(row_end - group.x, end - first));
  const bool is_whole = shape == launch.threadgroup;
  const auto& kernel = counted    ? *(is_whole ? launch.counted_whole : launch.counted_edge)
                       : is_whole ? *launch.whole
                                  : *launch.edge;
  if (!is_whole) thread.find_positions(shape);
  const auto simdgroups = static_cast<std::uint32_t>((shape.count() + lane_count - 1) / lane_count);
  Threadgroup each{
      .arguments = thread.arguments.data(),
      .threadgroup_memory = thread.threadgroup_memory->data(),
      .local = {thread.local[0].data(), thread.local[1].data(), thread.local[2].data()},
      .group = {group.x, group.y, group.z},
      .size = {shape.x, shape.y, shape.z},
      .lanes = &thread.lanes,
      .buffers = memory_.buffers->begin(),
      .buffers_bytes = memory_.buffers->size()};
  each.checked = &thread.checked;
  each.outcomes = thread.outcomes;
  if (counted) {
    each.counter = &counter_;
    ++counts_.back().counted;
    counts_.back().simdgroups += simdgroups;
  }
  const auto& needs = kernel.needs;
  const bool waits = needs.waits && (simdgroups > 1 || kernel.lane);
  if (launch.shadow) {
    begin_checks(launch, thread, simdgroups);
    count = 1;
  }
  if (!waits && needs.stack_bytes <= most_on_stack) {
    thread.lanes.begin_threadgroup(kernel.lane, needs.waits, needs.stack_bytes);
    if (execution_.order == Execution::Order::parallel) {
      kernel.run(&each, group.x, group.x + count, 0, simdgroups);
      return first + count;
    }
    for (const auto simdgroup : thread.simdgroup_order.next(simdgroups))
      kernel.run(&each, group.x, group.x + 1, simdgroup, simdgroup + 1);
    return first + 1;
  }
  for (unsigned i = 0; i < count; ++i, ++each.group[0]) {
    thread.lanes.begin_threadgroup(kernel.lane, needs.waits, needs.stack_bytes);
    thread.stacks.run(kernel.run, each, simdgroups, needs.stack_bytes, thread.simdgroup_order);
  }
  return first + count;
}

// Before each threadgroup: nothing was written to its memory yet.
void CpuQueue::begin_checks(const Prepared& launch, Thread& thread, std::uint32_t simdgroups) {
  thread.checked.compared_rounds = 0;
  thread.checked.arrivals.assign(simdgroups, {});
  std::memset(thread.threadgroup_memory->data() + *launch.shadow, 0,
              launch.threadgroup_bytes - *launch.shadow);
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

std::size_t CpuQueue::cache_bytes() const {
  const auto bytes = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace msci::engine
