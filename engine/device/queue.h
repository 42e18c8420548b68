// The calls of a device that PlanRunner needs. A back end implements this class; resets, checks,
// timing and results are PlanRunner's (docs/developer/adding_a_device.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "analysis/check/fault.h"
#include "base/result.h"
#include "engine/device/device.h"
#include "tasks/plan/plan.h"

namespace msci {

// Memory of a queue, by its number. It lives as long as the queue.
struct DeviceMemory {
  std::size_t index = 0;
  bool operator==(const DeviceMemory&) const = default;
};

// A kernel with its grid and its arguments, by its number. It lives as long as the queue.
struct PreparedLaunch {
  std::size_t index = 0;
  bool operator==(const PreparedLaunch&) const = default;
};

// Threadgroup memory that the host declares for a parameter.
struct ThreadgroupBytes {
  std::size_t count = 0;
  bool operator==(const ThreadgroupBytes&) const = default;
};

// The value of one parameter of a kernel. DeviceMemory stands for a pointer to its first byte; the
// order of the parameters is the calling convention of tasks/plan/program.h.
using Argument = std::variant<DeviceMemory, ThreadgroupBytes, std::uint64_t, std::uint32_t>;

// The device times that a launch records.
struct Timestamps {
  bool start = false;
  bool end = false;
  bool operator==(const Timestamps&) const = default;
};

// A queue serves one run of one plan. It carries out its calls in order; all but read() may return
// before the device is done. An Error says what the driver said; PlanRunner adds what it was doing.
// No call has a length of 0.
class Queue {
 public:
  virtual ~Queue() = default;

  virtual Result<DeviceMemory> allocate(std::size_t bytes) = 0;
  // Memory of the runner's own: no pointer of a kernel may lead there.
  virtual Result<DeviceMemory> allocate_hidden(std::size_t bytes) { return allocate(bytes); }
  // `contents` stays valid until the next finish().
  [[nodiscard]] virtual std::optional<Error> write(DeviceMemory to, std::size_t offset,
                                                   std::span<const std::byte> contents) = 0;
  [[nodiscard]] virtual std::optional<Error> fill(DeviceMemory to, std::size_t offset,
                                                  std::size_t bytes, unsigned char value) = 0;
  [[nodiscard]] virtual std::optional<Error> read(DeviceMemory from, std::size_t offset,
                                                  std::span<std::byte> to) = 0;

  // Where kernels find the memory: what a pointer to its first byte is, in memory. It stays there
  // as long as the queue lives.
  virtual Result<std::uint64_t> address(DeviceMemory memory) = 0;

  // Whether memory passes a test. A device whose memory the host can map overrides it, to test the
  // memory without copying it.
  using Test = std::function<bool(std::span<const std::byte>)>;
  virtual Result<bool> test(DeviceMemory memory, std::size_t offset, std::size_t bytes,
                            const Test& passes) {
    std::vector<std::byte> contents(bytes);
    if (auto error = read(memory, offset, contents)) return *error;
    return passes(contents);
  }

  // Before each pass: overwrites memory that outlives a launch and belongs to no buffer, such as
  // threadgroup memory, as far as the device lets.
  virtual void overwrite_other_memory() {}

  // Called before the first pass, so that a pass consists of launches alone. Threadgroups at the
  // edges of the grid are smaller, as in Metal.
  virtual Result<PreparedLaunch> prepare(const std::string& symbol, const Extent& grid,
                                         const Extent& threadgroup,
                                         std::span<const Argument> arguments) = 0;
  // A Failure is the kernel's. A device that notices one later returns it from finish().
  [[nodiscard]] virtual std::optional<Failure> launch(PreparedLaunch launch, Timestamps record) = 0;
  // Waits until everything is done.
  [[nodiscard]] virtual std::optional<Failure> finish() = 0;
  // Between the start and the end recorded last; valid after finish().
  virtual double seconds() const = 0;

  // Bytes of the device's last-level cache, as far as the driver knows.
  virtual std::size_t cache_bytes() const = 0;

  // Whether what a checked run found may depend on chance. It then ended early, and is repeated in
  // a queue that runs each launch the same way each time.
  virtual bool must_repeat() const { return false; }

  // Before the first pass of a counted run whose results nobody reads: threadgroups that are not
  // counted need not run where no launch follows, or where they would take long.
  virtual void count_alone() {}

  // What the launches so far did, where Execution::counted asks for it and the device can count.
  virtual std::vector<LaunchCounts> counts() const { return {}; }
};

// The error, if there is one, behind what the caller was doing: "resetting y: ...".
inline std::optional<Error> while_doing(const std::string& what,
                                        const std::optional<Error>& error) {
  if (!error) return std::nullopt;
  return Error{what + ": " + error->message};
}

// Grids for devices whose threadgroups all have one size.

// A part of a grid that its threadgroups divide.
struct GridPart {
  ThreadPosition first;  // thread, in the whole grid
  Extent groups;         // threadgroups
  Extent threadgroup;    // threads per threadgroup
};

constexpr unsigned unlimited = std::numeric_limits<unsigned>::max();

// Metal's threadgroups at the edges of a grid are smaller: up to eight parts are equivalent to it,
// and more where a part may have only `most_groups` threadgroups per dimension.
std::vector<GridPart> split_grid(const Extent& grid, const Extent& threadgroup,
                                 const Extent& most_groups = {unlimited, unlimited, unlimited});

}  // namespace msci
