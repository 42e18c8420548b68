// A plan's buffers on a device: their contents before a pass, and what a pass did to them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "engine/device/queue.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci {

// What buffers hold before a pass that are not inputs: bytes of one value, which a kernel cannot
// know. Of floats: 2e16, NaN and 3e38; and zeros, which such buffers hold in the benchmark.
constexpr std::array<unsigned char, 4> junk_bytes = {0x5a, 0xff, 0x7f, 0};

// Bytes before a buffer of that length. Kernels do read and write a little outside of their
// buffers: that must neither kill the process nor reach another buffer.
std::size_t slack_before(std::size_t bytes);
// Bytes after it: as many, and the rest of the last page of memory, where a device may let a kernel
// write.
std::size_t slack_after(std::size_t bytes);

class PlanBuffers {
 public:
  // All must outlive it; every kernel of the plan exists.
  PlanBuffers(Queue& queue, const Translation& translation, const Plan& plan,
              const RunMemory& shared)
      : queue_(queue), translation_(translation), plan_(plan), shared_(shared) {}

  [[nodiscard]] std::optional<Error> allocate();
  // Fills buffers and slack for the next pass, with the inputs of that variant of the plan.
  [[nodiscard]] std::optional<Error> reset(std::size_t variant = 0);

  DeviceMemory memory(std::size_t buffer) const { return buffers_[buffer].memory; }
  // Where the contents begin in the memory.
  std::size_t first_byte(std::size_t buffer) const { return buffers_[buffer].before; }

  // A Failure if the pass changed a buffer that its kernels declare as read-only. Adds the buffers
  // that it changed although their contract says that no kernel may; the next reset() restores
  // them.
  Result<std::optional<Failure>> find_changed_constant(std::vector<std::string>& changed);
  Result<Outputs> keep_results() const;
  // Whether the results are bit for bit these.
  Result<bool> has_results(const Outputs& outputs) const;
  // Adds the buffers whose slack the pass changed.
  [[nodiscard]] std::optional<Error> find_overruns(std::vector<std::string>& names) const;

 private:
  struct Guarded {
    DeviceMemory memory;
    std::size_t bytes = 0;
    std::size_t before = 0;  // bytes of slack
    std::size_t after = 0;
    std::size_t contents = 0;  // the variant that it holds
    bool is_filled = false;    // with that variant; false once a kernel has changed it
    // The plan's contents with addresses and numbers of functions, by variant; empty without any.
    std::vector<std::vector<std::byte>> with_pointers = {};
  };

  [[nodiscard]] std::optional<Error> fill(std::size_t buffer);
  [[nodiscard]] std::optional<Error> fill_contents(std::size_t buffer);
  [[nodiscard]] std::optional<Error> write_pointers();
  std::span<const std::byte> contents_of(std::size_t buffer, std::size_t variant) const;
  // A buffer's contents as the plan knows them: without the addresses of this run.
  Result<std::vector<std::byte>> read(std::size_t buffer) const;
  Result<Bytes> keep(std::size_t buffer) const;
  void put_plan_back(std::size_t buffer, std::span<std::byte> word, std::size_t at) const;
  bool holds_initial(std::span<const std::byte> contents, std::size_t buffer) const;
  // What fills a buffer's slack on one side in this pass.
  enum class Side { before, after };
  std::span<const std::byte> slack_of(std::size_t buffer, Side side) const;
  Result<bool> is_slack_untouched(std::size_t buffer) const;

  Queue& queue_;
  const Translation& translation_;
  const Plan& plan_;
  const RunMemory& shared_;
  std::vector<Guarded> buffers_;    // in the plan's order
  std::vector<std::byte> filling_;  // of all slack; twice as long as the largest, in pages
  std::size_t resets_ = 0;          // up to this pass
  std::size_t variant_ = 0;         // of this pass
  std::size_t junk_ = 0;            // of this pass, by its number among junk_bytes
  std::mt19937 random_{std::random_device{}()};
};

}  // namespace msci
