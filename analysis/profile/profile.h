// What the launches of a plan do: the counts of a run, together with the code that was counted.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "analysis/profile/launch_counts.h"
#include "base/result.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci {

// A line of the source; numbers are of all simdgroups of a launch.
struct LineProfile {
  unsigned line = 0;
  double instructions = 0;
  double cycles = 0;        // that they keep a scheduler busy
  double active_lanes = 0;  // of 32, averaged over the instructions
  double lines = 0;         // of 128 bytes of device memory that accesses touch
  double least_lines = 0;   // that they would touch if they were coalesced
  double bank_cycles = 0;   // of threadgroup memory
  double least_bank_cycles = 0;
  bool operator==(const LineProfile&) const = default;
};

// How many basic blocks a simdgroup runs in which so many 16-bit registers are live at once.
struct Pressure {
  unsigned registers = 0;
  double blocks = 0;
};

// One launch. Unless said otherwise, numbers are means over its simdgroups.
struct LaunchProfile {
  std::string kernel;
  Extent grid;
  Extent threadgroup;
  std::size_t weight = 1;   // equal launches that it stands for
  std::size_t groups = 0;   // threadgroups
  std::size_t counted = 0;  // those that were counted
  // Of the instructions of all threadgroups: the largest relative error that those which were
  // counted let expect in 19 of 20 cases. 0 if all were counted.
  double count_error = 0;
  bool is_after_gap = false;                 // it read what a launch before it did not compute
  std::size_t simdgroups = 1;                // of a threadgroup
  std::array<double, work_kinds> work = {};  // instructions
  double active_lanes = 0;                   // of 32, averaged over the instructions
  double chain = 0;                          // cycles, summed over the blocks it runs
  double device_waits = 0;                   // for memory, likewise
  double threadgroup_waits = 0;
  double device_lines = 0;    // touched by loads and stores of device memory, 128 bytes each
  double device_sectors = 0;  // 32 bytes each
  double used_bytes = 0;      // that lanes asked for
  double core_misses = 0;     // lines
  double first_loads = 0;     // lines that neither it nor a neighbour loaded before
  double first_stores = 0;    // or stored
  double bank_cycles = 0;
  double atomic_turns = 0;  // distinct addresses of atomics
  std::vector<Pressure> pressure;
  unsigned registers = 0;             // of 16 bits, at once at the most
  unsigned thread_limit = 0;          // of its threadgroups, as it declares; 0 for none
  std::size_t private_bytes = 0;      // of a thread
  std::size_t threadgroup_bytes = 0;  // of a threadgroup
  std::size_t loop_instructions = 0;
  std::size_t buffer_bytes = 0;    // of the buffers that it binds
  std::vector<LineProfile> lines;  // by line
};

// One pass of a plan.
struct Profile {
  std::vector<LaunchProfile> launches;
};

// Errors: counts that do not fit the code, as of a process that a kernel damaged.
Result<Profile> profile_of(const Translation& translation, const Plan& plan,
                           const std::vector<LaunchCounts>& counts);

}  // namespace msci
