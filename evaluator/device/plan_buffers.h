// A plan's buffers on a device: their contents before a pass, and what a pass did to them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/device/queue.h"
#include "evaluator/plan/plan.h"
#include "evaluator/plan/program.h"

namespace msci {

// Bytes on either side of a buffer of that length. Kernels do read and write a little outside of
// their buffers: that must neither kill the process nor reach another buffer.
std::size_t slack_beside(std::size_t bytes);

class PlanBuffers {
 public:
  // All must outlive it; every kernel of the plan exists.
  PlanBuffers(Queue& queue, const Translation& translation, const Plan& plan)
      : queue_(queue), translation_(translation), plan_(plan) {}

  std::optional<Error> allocate();
  // Fills buffers and slack for the next pass.
  std::optional<Error> reset();

  DeviceMemory memory(std::size_t buffer) const { return buffers_[buffer].memory; }
  // Where the contents begin in the memory.
  std::size_t first_byte(std::size_t buffer) const { return buffers_[buffer].slack; }

  // A Failure if the pass changed a buffer that its kernels may only read.
  Result<std::optional<Failure>> find_changed_constant() const;
  Result<Outputs> read_results() const;
  // Adds the buffers whose slack the pass changed.
  std::optional<Error> find_overruns(std::vector<std::string>& names) const;

 private:
  struct Guarded {
    DeviceMemory memory;
    std::size_t bytes = 0;
    std::size_t slack = 0;  // bytes on either side
  };

  std::optional<Error> reset(std::size_t buffer);
  // The byte that fills a buffer's slack in this pass.
  unsigned char slack_byte_of(std::size_t buffer) const;
  Result<bool> is_slack_untouched(std::size_t buffer) const;

  Queue& queue_;
  const Translation& translation_;
  const Plan& plan_;
  std::vector<Guarded> buffers_;  // in the plan's order
  std::size_t resets_ = 0;        // up to this pass
};

}  // namespace msci
