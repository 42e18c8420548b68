// Carries out plans on a queue: resets buffers before each pass, times passes until there are
// enough, and finds out what the kernels wrote where. The same for every back end.
#pragma once

#include <memory>

#include "engine/device/device.h"
#include "engine/device/queue.h"

namespace msci {

// Shares nothing: results are copies.
RunMemory private_memory();

// Runs the plan's passes on a fresh queue. refuse_plan() has accepted the plan.
Result<Attempt<Run>> run_plan(Queue& queue, const Translation& translation, const Plan& plan,
                              Repeats repeats, const RunMemory& memory = private_memory());

// A program on a device that is a queue.
class QueueProgram : public Program {
 public:
  // The device's `info` must outlive the program.
  QueueProgram(const DeviceInfo& info, Translation translation)
      : info_(info), translation_(std::move(translation)) {}

  // Refuses what a Metal host would refuse, then what exceeds the device, then runs the plan.
  Result<Attempt<Run>> run(const Plan& plan, Repeats repeats) final {
    return run_in(private_memory(), plan, repeats);
  }
  Result<Attempt<Run>> run_in(const RunMemory& memory, const Plan& plan, Repeats repeats) final;

 protected:
  // A fresh queue for one run of the plan, whose kernels all exist. `is_repeat`: the run before
  // must be repeated (Queue::must_repeat()).
  virtual Result<Attempt<std::unique_ptr<Queue>>> open_queue(const Plan& plan, bool is_repeat) = 0;
  const Translation& translation() const { return translation_; }

 private:
  Result<Attempt<Run>> run_once(const RunMemory& memory, const Plan& plan, Repeats repeats,
                                bool& must_repeat);

  const DeviceInfo& info_;
  Translation translation_;
};

}  // namespace msci
