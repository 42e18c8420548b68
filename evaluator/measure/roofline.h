// The best performance of a device: the ceilings of fractions and scores.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/files/cache.h"
#include "evaluator/device/device.h"
#include "evaluator/plan/task.h"
#include "evaluator/profile/chip.h"

namespace msci {

struct Ceilings {
  enum class Source { table, measured, plan };  // plan: the user's own
  double gflops = 0;                            // 1e9 single-precision operations per second
  double gbps = 0;                              // 1e9 bytes per second, reads and writes together
  Source source = Source::table;
  std::string file = {};  // where measured ones are kept; empty without such a file
  bool operator==(const Ceilings&) const = default;

  // What limits a task.
  double of(Ceiling kind) const { return kind == Ceiling::bandwidth ? gbps : gflops; }
};

std::string_view to_string(Ceilings::Source source);
// "GB/s" or "GFLOPS".
std::string_view unit_of(Ceiling kind);
// The ceilings for a task: the device's, or that of the task's kind as the user's plan has it.
Ceilings ceilings_for(const Task& task, Ceilings of_device);
// The one that limits the task, in 1e9 units of its work a second.
double ceiling_of(const Task& task, const Ceilings& of_device);
std::string ceiling_unit_of(const Task& task);

// From the chip's data sheet.
Ceilings ceilings_of(const Chip& chip);
// The ceilings of a device of that name, if a table has them.
std::optional<Ceilings> known_ceilings(std::string_view device_name);

// Runs a copy and chains of fused multiply-adds on the device for some seconds, and takes the best
// of several runs.
Result<Ceilings> measure_ceilings(Device& device);

// From the table, else from an earlier measurement on the same device and driver, else measured
// now.
Result<Ceilings> find_ceilings(Device& device, Cache& cache);

}  // namespace msci
