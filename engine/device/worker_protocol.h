// The messages between msci-eval and msci-worker: JSON, and shared memory for large contents.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/check/check_record_json.h"
#include "analysis/profile/launch_counts.h"
#include "base/json.h"
#include "base/process/channel.h"
#include "base/process/child_process.h"
#include "base/process/temporary_folder.h"
#include "engine/device/device.h"

namespace msci {

// A type whose messages hold all of its members. It does not compile with a member that the list
// lacks.
#define MSCI_MESSAGE(Type, ...)                         \
  NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Type, __VA_ARGS__) \
  inline void assert_all_are_listed(Type& value) { [[maybe_unused]] auto& [__VA_ARGS__] = value; }

// Both ends are built together, so messages contain the numbers of enumerators.
MSCI_MESSAGE(DeviceInfo, name, vendor, platform, backend, driver, platform_index, device_index,
             kind, compute_units, max_threads_per_threadgroup, threadgroup_memory, global_memory,
             max_buffer, chooses_order, sandbox, unsandboxed)
MSCI_MESSAGE(Failure, cause, message)
MSCI_MESSAGE(Repeats, warmup, timed, warmup_seconds, timed_seconds, relative_error, cold)
MSCI_MESSAGE(Extent, x, y, z)
MSCI_MESSAGE(Execution, order, key, lane_by_lane, counted, vector_bits, brief)
MSCI_MESSAGE(PlanPointer, at, buffer, offset, read_only)
MSCI_MESSAGE(PlanFunction, at, name)
MSCI_MESSAGE(Binding, index, buffer, offset, kind)
MSCI_MESSAGE(ThreadgroupMemory, index, bytes)
MSCI_MESSAGE(Launch, kernel, grid, threadgroup, bindings, threadgroup_memory, overlaps_previous)
// The variant; the results lie in shared memory.
void to_json(Json& json, const VariantOutputs& pass);
void from_json(const Json& json, VariantOutputs& pass);

// The plan without its buffers' initial contents, which share_contents() puts one after another,
// each on pages of its own. No process can change them.
Json to_json(const Plan& plan);
Result<Fd> share_contents(const Plan& plan);
// A whole file of shared memory.
Result<Bytes> map_shared_memory(const Fd& file);
// The whole plan, with parts of `contents`. Throws nlohmann's exceptions if `json` is not from
// to_json().
Plan plan_from(const Json& json, const Bytes& contents);

// The run without its outputs.
Json to_json(const Run& run);
// Throws nlohmann's exceptions if `json` is not from to_json().
Run run_from(const Json& json);

// The most memory for the results that a run keeps.
std::size_t output_bytes(const Plan& plan, Repeats repeats);

// Results in shared memory, one after another. They are written once, and read where they lie.
class ResultMemory {
 public:
  ResultMemory(const Fd& file, std::size_t bytes) : file_(file), bytes_(bytes) {}
  Result<Bytes> keep(std::span<const std::byte> contents);
  // The places of the first bytes of all outputs of a run, in a fixed order. Keeps those that it
  // has not kept yet.
  Result<Json> places_of(const Run& run);
  // No result that it has kept is in use any more.
  void forget();
  // Nothing can be kept from now on, and take_outputs() need not copy.
  void seal() const;

 private:
  struct Kept {
    Bytes bytes;
    std::size_t place = 0;
  };
  Result<std::size_t> place_of(const Bytes& output);

  const Fd& file_;
  std::size_t bytes_;
  std::size_t used_ = 0;
  std::vector<Kept> kept_;
};

// Sets the run's outputs to those at these places of the memory, both of which come from the
// process that ran the kernel. Afterwards, that process cannot change the outputs: memory that is
// not sealed is copied. False if `places` is malformed, or a place lies outside of the memory. An
// Error is ours: the memory cannot be mapped.
Result<bool> take_outputs(const Plan& plan, Repeats repeats, const Json& places, const Fd& file,
                          Run& run);

// A running msci-worker: one process, its channel and its temporary folder.

// The end of the object ends the process with everything that it started.
class WorkerProcess {
 public:
  // Starts a worker program: "msci-worker". Errors: no such program (base/files/install_paths.h),
  // no process, no temporary folder.
  static Result<std::unique_ptr<WorkerProcess>> start(std::string_view program);

  // Sends a request to which ask() drops the reply, so that the worker carries it out beside the
  // caller; nothing if one of an earlier call may still run.
  void begin(const Json& request);

  // The worker's reply, or how the process ended; `doing` completes "it died while ...". `grace`:
  // how long a worker that stops itself at the limit may take to say so.
  Attempt<Json> ask(const Json& request, std::span<const Fd> files, std::chrono::milliseconds limit,
                    std::string_view doing, std::chrono::milliseconds grace = {});

 private:
  WorkerProcess(ChildProcess process, TemporaryFolder folder, Channel channel, Fd log)
      : folder_(std::move(folder)),
        channel_(std::move(channel)),
        log_(std::move(log)),
        process_(std::move(process)) {}

  Failure ended(std::string_view doing);
  std::string quoted_log() const;

  TemporaryFolder folder_;
  Channel channel_;
  Fd log_;
  unsigned begun_ = 0;    // requests of begin() whose replies were not received
  ChildProcess process_;  // last, so that it ends before its folder is removed
};

}  // namespace msci
