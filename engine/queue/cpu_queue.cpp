#include "engine/queue/cpu_queue.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/queue/cpu_launch.h"

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace msci::engine {

namespace {

// The processor's register that controls floating-point arithmetic, and its bits that make
// denormals zero, as operands and as results.
#ifdef __x86_64__
using FloatControl = unsigned;
constexpr FloatControl denormals_are_zero = 0x8040;
FloatControl float_control() { return _mm_getcsr(); }
void set_float_control(FloatControl control) { _mm_setcsr(control); }
#elif defined(__aarch64__)
using FloatControl = std::uint64_t;
constexpr FloatControl denormals_are_zero = FloatControl{1} << 24;
FloatControl float_control() {
  FloatControl control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
void set_float_control(FloatControl control) { asm volatile("msr fpcr, %0" : : "r"(control)); }
#endif

// Denormals are zero, as on Apple's GPUs, unless the kernel keeps them.
class Denormals {
 public:
  explicit Denormals(bool kept) : before_(float_control()) {
    set_float_control(kept ? before_ & ~denormals_are_zero : before_ | denormals_are_zero);
  }
  ~Denormals() { set_float_control(before_); }
  Denormals(const Denormals&) = delete;
  Denormals& operator=(const Denormals&) = delete;

 private:
  FloatControl before_;
};

// Instructions of each block of a kernel that counts.
std::vector<double> block_work_of(const Translation& translation, const std::string& symbol) {
  std::vector<double> instructions;
  const auto code = std::ranges::find(translation.code, symbol, &KernelCode::symbol);
  if (code == translation.code.end()) return instructions;
  for (const auto& block : code->blocks) {
    double sum = 0;
    for (const auto& work : block.work) sum += work.count;
    instructions.push_back(sum);
  }
  return instructions;
}

Extent count_groups(const Extent& grid, const Extent& threadgroup) {
  const auto up = [](unsigned a, unsigned b) { return (a + b - 1) / b; };
  return {up(grid.x, threadgroup.x), up(grid.y, threadgroup.y), up(grid.z, threadgroup.z)};
}

constexpr std::size_t argument_align = 16;
// Threads of a checked launch whose code is worth less time than LLVM takes for good code, or for
// code of another shape of threadgroups; and where few such launches are to come.
constexpr std::size_t most_of_least_work = 512;
constexpr std::size_t most_of_little_work = 1 << 16;
constexpr std::byte junk{junk_byte};
constexpr std::size_t most_buffers = 192;  // of a plan
constexpr std::size_t least_threadgroup_memory = std::size_t{64} << 10;
constexpr std::size_t most_on_stack = std::size_t{1} << 20;  // of a thread's own stack

Work work_of(std::size_t threads, bool is_checked, bool is_brief) {
  if (is_brief) return !is_checked || threads <= most_of_little_work ? Work::little : Work::much;
  return is_checked && threads <= most_of_least_work ? Work::least : Work::much;
}

bool accesses_buffers_atomically(const Translation& translation, const std::string& symbol) {
  const auto kernel = std::ranges::find(translation.kernels, symbol, &KernelSignature::symbol);
  if (kernel == translation.kernels.end()) return true;
  if (kernel->anywhere && kernel->anywhere->atomic) return true;
  for (std::size_t i = 0; i < kernel->arguments.size(); ++i)
    if (is_device_memory(kernel->arguments[i].kind) && kernel->objects[i].atomic) return true;
  return false;
}

}  // namespace

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
                                         const Extent& asked_for,
                                         std::span<const Argument> arguments) {
  const auto work = work_of(grid.count(), kernels_.translation().is_checked(), execution_.brief);
  // Orders, checks and counters are those of the threadgroups that the host asked for, and so is
  // the code for any shape, which serves where there is little work.
  const bool has_free_shape =
      work == Work::much && execution_.order == Execution::Order::parallel &&
      !execution_.lane_by_lane && !execution_.counted && !kernels_.translation().is_checked();
  const auto threadgroup = has_free_shape ? kernels_.shape_for(symbol, grid, asked_for) : asked_for;
  const bool is_clipped = threadgroup != asked_for && grid.x % threadgroup.x != 0;
  auto prepared = std::make_unique<Prepared>();
  prepared->threadgroup = threadgroup;
  prepared->groups = count_groups(grid, threadgroup);
  prepared->grid = grid;
  prepared->grid_width = grid.x;
  if (is_clipped) prepared->grid.x = prepared->groups.x * threadgroup.x;
  prepared->symbol = symbol;
  const bool has_whole =
      grid.x >= threadgroup.x && grid.y >= threadgroup.y && grid.z >= threadgroup.z;
  const bool has_edge = prepared->grid.x % threadgroup.x != 0 || grid.y % threadgroup.y != 0 ||
                        grid.z % threadgroup.z != 0;
  std::size_t static_bytes = 0;
  const auto find = [&](const CompiledKernel*& kernel, std::optional<Extent> shape,
                        bool counted) -> std::optional<Error> {
    const auto found =
        kernels_.find(symbol, shape, execution_, distinct_, counted, work, is_clipped);
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
    prepared->block_work = block_work_of(kernels_.translation(), symbol);
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
  auto& prepared = *prepared_[launch.index];
  memory_.buffers->close_unused();
  memory_.threadgroups->close_unused();
  if (record.start) start_ = std::chrono::steady_clock::now();
  if (record.start) launched_ = 0;
  const bool in_order = execution_.order != Execution::Order::parallel;
  auto* covered = prepared.outcomes > 0 ? &note_covered(prepared) : nullptr;
  const bool counts = counts_work() && prepared.outcomes == 0;
  auto counted = counts ? begin_counting(prepared) : std::vector<GroupRange>{};
  const auto threads = threads_for(prepared, covered);
  GroupShares shares(prepared.groups.count(), threads);
  const bool is_spread = threads > 1 && prepared.is_repeatable();
  begin_notes(prepared, is_spread ? threads : 0);
  const auto begin = std::chrono::steady_clock::now();
  const auto run_rest = [&](Thread& thread, unsigned number) {
    in_order ? run_in_order(prepared, thread) : run_threadgroups(prepared, number, counted, shares);
  };
  if (counts)
    run_on(1, prepared, shares, is_spread, [&](Thread& thread, unsigned) {
      counted = run_counted(prepared, thread, std::move(counted));
    });
  const bool is_whole = !counts || (!of_threads_[0]->trap && !leaves_rest(prepared, record.end));
  if (is_whole) run_on(threads, prepared, shares, is_spread, run_rest);
  const auto end = std::chrono::steady_clock::now();
  if (record.end) end_ = end;
  if (covered)
    covered->seconds_of_thread = std::chrono::duration<double>(end - begin).count() * threads /
                                 static_cast<double>(prepared.grid.count());
  auto failure = first_failure(prepared);
  // After the time limit, nothing can be repeated.
  must_repeat_ = is_spread && !is_time_up() &&
                 (failure || !spread_.is_certain(threads_, prepared.index_bits()));
  if (must_repeat_ && !failure) return Failure{Failure::Cause::signal, "the order was not certain"};
  return failure;
}

// Calls `work` on so many threads of the processor, until one of them traps.
void CpuQueue::run_on(unsigned count, const Prepared& launch, GroupShares& shares, bool is_spread,
                      const std::function<void(Thread&, unsigned)>& work) {
  threads_.run(count, [&](unsigned number) {
    auto& thread = *of_threads_[number];
    const Denormals denormals(launch.keeps_denormals);
    prepare_thread(launch, thread);
    thread.trap = guarded([&] { work(thread, number); });
    if (!thread.trap) return;
    thread.overflowed =
        thread.stacks.is_guard(thread.trap->address) || thread.lanes.is_guard(thread.trap->address);
    shares.drop_rest();  // the other threads stop
    // One that waits for this one would go on until the time limit.
    if (is_spread && !is_time_up()) stop_other_guarded();
  });
}

// How many threads of the processor run a launch.
unsigned CpuQueue::threads_for(const Prepared& launch, const CoveredKernel* covered) const {
  const bool in_order = execution_.order != Execution::Order::parallel;
  const bool must_be_alone = launch.is_repeatable() && (launch.has_atomics || !spreads_checks_);
  if (in_order || launch.checks_fences || must_be_alone) return 1;
  const auto most =
      covered ? covered->worthwhile_processors(launch.grid.count()) : launch.groups.count();
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

// A thread takes threadgroups until none is left; `counted` are done already.
void CpuQueue::run_threadgroups(const Prepared& launch, unsigned number,
                                const std::vector<GroupRange>& counted, GroupShares& shares) {
  auto& thread = *of_threads_[number];
  const auto range_behind = [&](std::size_t group) {
    return std::find_if(counted.begin(), counted.end(),
                        [&](const GroupRange& range) { return range.end > group; });
  };
  for (auto taken = shares.take(number); taken.begin < taken.end; taken = shares.take(number)) {
    for (auto at = taken.begin; at < taken.end;) {
      if (thread.checked.notes.is_full()) return shares.drop_rest();  // the launch is repeated
      const auto range = range_behind(at);
      if (range == counted.end())
        at = run_row(launch, thread, at, taken.end);
      else if (at < range->begin)
        at = run_row(launch, thread, at, std::min(taken.end, range->begin));
      else
        at = range->end;
    }
  }
}

void CpuQueue::run_in_order(const Prepared& launch, Thread& thread) {
  const auto count = static_cast<std::uint32_t>(launch.groups.count());
  for (const auto group : group_order_.next(count)) {
    thread.fill_threadgroup_memory(junk, launch.threadgroup_bytes);
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
  if (!kernel.has_shape) thread.find_positions(shape);
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
  each.grid_width = launch.grid_width;
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

std::size_t CpuQueue::cache_bytes() const {
  const auto bytes = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace msci::engine
