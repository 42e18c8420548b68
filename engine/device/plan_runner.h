// Carries out plans on a queue: resets buffers before each pass, times passes until there are
// enough, and finds out what the kernels wrote where. The same for every back end.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

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

// Decides when there are enough passes.

// Counts passes as Repeats demands: first those of the warm-up, then the timed ones.
class Stopping {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Stopping(Repeats repeats, Clock::time_point now = Clock::now())
      : repeats_(repeats), phase_began_(now) {}

  bool wants_another() const { return !done_; }
  // A pass of so many seconds has just ended.
  void add(double seconds, Clock::time_point now = Clock::now());
  // The seconds of the passes after the warm-up.
  const std::vector<double>& timed() const { return timed_; }

 private:
  bool is_warm(double elapsed) const;
  bool is_enough(double elapsed) const;

  Repeats repeats_;
  Clock::time_point phase_began_;
  std::vector<double> warming_;
  std::vector<double> timed_;
  bool warm_ = repeats_.warmup == 0 && repeats_.warmup_seconds <= 0;
  bool done_ = warm_ && repeats_.timed == 0;
};

}  // namespace msci
