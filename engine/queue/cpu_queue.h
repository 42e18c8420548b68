// One run of a plan on this machine's processor.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/check/checked_simdgroup.h"
#include "engine/coverage/outcome_record.h"
#include "engine/device/queue.h"
#include "engine/fault_guard.h"
#include "engine/jit.h"
#include "engine/profile/sampling.h"
#include "engine/profile/work_counter.h"
#include "engine/threadgroup/run_order.h"
#include "engine/threadgroup/threadgroup.h"

namespace msci::engine {

// Memory of the processor between addresses that no access may touch.
class Arena;

class GuardedMemory {
 public:
  // Beside all arenas, between guard pages. None if the system has not that much.
  static std::optional<GuardedMemory> allocate(std::size_t bytes);
  GuardedMemory(GuardedMemory&& other) noexcept;
  GuardedMemory& operator=(GuardedMemory&&) = delete;
  ~GuardedMemory();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  friend Arena;
  GuardedMemory() = default;

  Arena* arena_ = nullptr;      // that owns the addresses; null if this does
  std::byte* begin_ = nullptr;  // of the guard before the memory
  std::size_t mapped_ = 0;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// Reserved address space for what kernels access, in windows (isolation/windows.h) with at most one
// memory in each. It needs no memory by itself, and must outlive what it gives.
class Arena {
 public:
  // So many windows, or as many as the system has room for. None if it has room for none.
  static std::unique_ptr<Arena> reserve(std::size_t windows);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Zeros, or what an earlier memory left. None if no window is left, or the system has not that
  // much memory.
  std::optional<GuardedMemory> allocate(std::size_t bytes);
  // Before a kernel runs: memory that was given back stays accessible until then, since the next
  // allocation of its size takes it as it is.
  void close_unused();
  const std::byte* begin() const { return begin_; }
  std::size_t size() const;
  bool holds(const void* address) const;

 private:
  friend GuardedMemory;
  struct Window {
    bool is_used = false;
    std::size_t accessible = 0;  // bytes, in pages
  };
  Arena(std::byte* begin, std::size_t windows) : begin_(begin), windows_(windows) {}
  std::byte* memory_in(std::size_t window) const;
  void take_back(const GuardedMemory& memory);

  std::byte* begin_;
  std::vector<Window> windows_;
  bool has_unused_ = false;  // a window that is accessible without use
};

// The threadgroups of a launch, shared among threads of the processor. Each begins with a part of
// its own, the same in every launch of as many threadgroups and threads, since what it wrote may
// still be in the caches of its core. Then it takes what is left of the others' parts.
class GroupShares {
 public:
  // Of `groups` threadgroups, among threads 0, ..., threads - 1.
  GroupShares(std::size_t groups, unsigned threads);

  // The next few threadgroups for that thread; an empty range if none is left.
  GroupRange take(unsigned thread);
  // From now on, none is left.
  void drop_rest();

 private:
  // On a cache line of its own.
  struct alignas(64) Share {
    std::atomic<std::size_t> next = 0;
    std::size_t end = 0;
  };
  std::vector<Share> shares_;
  std::size_t step_;
};

// Threads of the processor that share work, and the thread that gives it.
class ThreadPool {
 public:
  // `count` threads in all, the caller's among them.
  explicit ThreadPool(unsigned count);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }
  // Calls `work` on at most that many threads, with their numbers, on the caller's for certain, and
  // waits for all calls. The work is done when one of them returns.
  void run(unsigned threads, const std::function<void(unsigned thread)>& work);

 private:
  void serve(unsigned thread);

  std::mutex mutex_;
  // Of each thread but the caller's: only threads that get work wake up.
  std::vector<std::condition_variable> work_arrived_;
  const std::function<void(unsigned)>* work_ = nullptr;  // null if nothing is left to do
  std::atomic<unsigned> wanted_ = 0;
  std::atomic<unsigned> turn_ = 0;     // of the work that was given last
  std::atomic<unsigned> working_ = 0;  // threads beside the caller's
  std::atomic<bool> ends_ = false;
  std::vector<std::thread> threads_;
};

// Checked launches that several threads of the processor run at once. If no threadgroups met, the
// findings are those of one thread: none. Otherwise chance has a part in them, and the run must be
// repeated on one thread (checked_simdgroup.h).
class SpreadChecks {
 public:
  // Of a launch that these threads will run. `log`: that of the run (CheckLog).
  void begin(const std::vector<CheckedThread*>& threads, const std::uint64_t* log);
  // Behind it: whether one thread would have found the same. `index_bits`: of a thread's index in
  // its threadgroup.
  bool is_certain(ThreadPool& pool, unsigned index_bits);

 private:
  struct OfThread {
    std::unique_ptr<std::uint64_t[]> memory;
    CheckedThread* thread = nullptr;
    std::atomic_flag is_taken = ATOMIC_FLAG_INIT;  // by a thread that compares its notes
  };
  std::size_t noted_words() const;

  std::vector<std::unique_ptr<OfThread>> threads_;
  std::size_t count_ = 0;  // of threads in this launch
  const std::uint64_t* log_ = nullptr;
  std::uint64_t faults_before_ = 0;
  std::uint64_t messages_before_ = 0;
  std::uint64_t benign_races_before_ = 0;
};

// The addresses of what kernels access: buffers, and the threadgroup memory of each thread of the
// processor.
struct KernelMemory {
  std::unique_ptr<Arena> buffers;
  std::unique_ptr<Arena> threadgroups;

  // Reserves the addresses for launches on so many threads of the processor.
  static Result<KernelMemory> reserve(std::size_t threads);
};

class CpuQueue : public Queue {
 public:
  // All must outlive it. `distinct`: no two parameters of a launch share a buffer.
  // `spreads_checks`: several threads of the processor may run a checked launch whose findings they
  // can make certain.
  CpuQueue(Kernels& kernels, ThreadPool& threads, KernelMemory& memory, const Execution& execution,
           bool distinct, bool spreads_checks);
  ~CpuQueue() override;

  Result<DeviceMemory> allocate(std::size_t bytes) override;
  Result<DeviceMemory> allocate_hidden(std::size_t bytes) override;
  std::optional<Error> write(DeviceMemory to, std::size_t offset,
                             std::span<const std::byte> contents) override;
  std::optional<Error> fill(DeviceMemory to, std::size_t offset, std::size_t bytes,
                            unsigned char value) override;
  std::optional<Error> read(DeviceMemory from, std::size_t offset,
                            std::span<std::byte> to) override;
  Result<std::uint64_t> address(DeviceMemory memory) override;
  Result<bool> test(DeviceMemory memory, std::size_t offset, std::size_t bytes,
                    const Test& passes) override;
  void overwrite_other_memory() override;
  Result<PreparedLaunch> prepare(const std::string& symbol, const Extent& grid,
                                 const Extent& threadgroup,
                                 std::span<const Argument> arguments) override;
  std::optional<Failure> launch(PreparedLaunch launch, Timestamps record) override;
  std::optional<Failure> finish() override { return std::nullopt; }
  double seconds() const override { return std::chrono::duration<double>(end_ - start_).count(); }
  std::size_t cache_bytes() const override;
  void count_alone() override { counts_alone_ = counts_work(); }
  std::vector<LaunchCounts> counts() const override;
  bool must_repeat() const override { return must_repeat_; }

 private:
  struct Prepared;
  struct Thread;
  struct CoveredKernel;  // whose code marks outcomes

  CoveredKernel& note_covered(const Prepared& launch);
  bool counts_work() const;
  // `covered`: its kernel; null if it marks no outcomes.
  unsigned threads_for(const Prepared& launch, const CoveredKernel* covered) const;
  void begin_notes(const Prepared& launch, unsigned threads);
  [[nodiscard]] std::optional<Failure> first_failure(const Prepared& launch) const;
  [[nodiscard]] std::optional<Error> enlarge_threadgroup_memory(std::size_t bytes);
  static void prepare_thread(const Prepared& launch, Thread& thread);
  void run_threadgroups(const Prepared& launch, unsigned number,
                        const std::vector<GroupRange>& counted, GroupShares& shares);
  void run_in_order(const Prepared& launch, Thread& thread);
  std::size_t run_row(const Prepared& launch, Thread& thread, std::size_t first, std::size_t end,
                      bool counted = false);
  std::vector<GroupRange> begin_counting(const Prepared& launch);
  std::vector<GroupRange> run_counted(const Prepared& launch, Thread& thread,
                                      std::vector<GroupRange> ranges);
  void count_group(const Prepared& launch, Thread& thread, std::size_t group, bool apart);
  // Whether the threadgroups of a launch that are not counted need not run.
  bool leaves_rest(const Prepared& launch, bool is_last);
  void run_on(unsigned count, const Prepared& launch, GroupShares& shares, bool is_spread,
              const std::function<void(Thread&, unsigned)>& work);
  static void begin_checks(const Prepared& launch, Thread& thread, std::uint32_t simdgroups);
  Failure failure_of(const Trap& trap, const Prepared& launch, const Thread& thread) const;
  const char* left_memory(const Trap& trap) const;
  std::string loop_of(const Prepared& launch, const Thread& thread) const;

  Kernels& kernels_;
  ThreadPool& threads_;
  KernelMemory& memory_;
  Execution execution_;
  RunOrder group_order_;
  bool distinct_;
  bool spreads_checks_;
  bool must_repeat_ = false;
  SpreadChecks spread_;
  std::vector<GuardedMemory> memories_;
  std::vector<std::unique_ptr<Prepared>> prepared_;
  std::vector<std::unique_ptr<Thread>> of_threads_;
  // Of a counted run: one thread of the processor counts.
  std::size_t launched_ = 0;  // of a pass
  std::vector<CoveredKernel> covered_;
  SampledLaunches sampled_;
  WorkCounter counter_;
  std::vector<LaunchCounts> counts_;
  bool counts_alone_ = false;
  double uncounted_work_ = 0;                 // instructions, of all launches so far
  bool has_gap_ = false;                      // a launch did not run all its threadgroups
  std::map<std::string, double> group_work_;  // mean of a launch, by kernel and shape
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace msci::engine
