// The best performance of a device: the ceilings of fractions and scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/profile/chip.h"
#include "tasks/plan/task.h"

namespace msci {

// No fraction of a measured ceiling above this is ever told: where ceiling and kernel were measured
// again and the rate is still higher, words say why.
constexpr double most_fraction = 1.05;

struct Ceilings {
  enum class Source { table, measured, plan };  // plan: the user's own
  double gflops = 0;                            // 1e9 single-precision operations per second
  double gbps = 0;                              // 1e9 bytes per second, of memory
  Source source = Source::table;
  // GB/s that working sets of so many bytes reached (probed_set()), in caches where they fit.
  std::map<std::size_t, double> sets = {};
  bool is_beside_load = false;  // measured beside other work, so they may be too low
  bool operator==(const Ceilings&) const = default;

  // What limits a task: of memory, or that of a working set if it is higher.
  double of(Ceiling kind, std::size_t working_set = SIZE_MAX) const;
};

std::string_view to_string(Ceilings::Source source);
// "GB/s" or "GFLOPS".
std::string_view unit_of(Ceiling kind);
// The ceilings for a task: the device's, or that of the task's kind as the user's plan has it.
Ceilings ceilings_for(const Task& task, Ceilings of_device);
// The one that limits the task, in 1e9 units of its work a second; `working_set`: bytes of the
// buffers of a pass, by default more than caches hold.
double ceiling_of(const Task& task, const Ceilings& of_device, std::size_t working_set = SIZE_MAX);
std::string ceiling_unit_of(const Task& task);

// From the chip's data sheet.
Ceilings ceilings_of(const Chip& chip);
// The ceilings of a device of that name, if a table has them.
std::optional<Ceilings> known_ceilings(std::string_view device_name);

}  // namespace msci
