// One run of a plan on this machine's processor.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "engine/coverage/outcome_record.h"
#include "engine/cpu_memory.h"
#include "engine/device/queue.h"
#include "engine/fault_guard.h"
#include "engine/jit.h"
#include "engine/profile/sampling.h"
#include "engine/profile/work_counter.h"
#include "engine/queue/group_shares.h"
#include "engine/queue/spread_checks.h"
#include "engine/queue/thread_pool.h"
#include "engine/threadgroup/run_order.h"
#include "engine/threadgroup/threadgroup.h"

namespace msci::engine {

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
  void run_counted(const Prepared& launch, Thread& thread, const std::vector<GroupRange>& ranges);
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
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace msci::engine
