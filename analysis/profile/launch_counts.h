// What a profiled run counts: by launch, for the blocks and accesses of its kernel's KernelCode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/json.h"

namespace msci {

// Of a block, summed over simdgroups.
struct BlockCount {
  std::uint64_t executions = 0;
  std::uint64_t lanes = 0;  // that were active
  bool operator==(const BlockCount&) const = default;
};

// Of an access, summed over simdgroups. Lines have 128 bytes, sectors 32.
struct AccessCount {
  std::uint64_t executions = 0;
  std::uint64_t lanes = 0;
  std::uint64_t lines = 0;
  std::uint64_t sectors = 0;
  std::uint64_t core_misses = 0;    // lines that a core's cache lacked
  std::uint64_t first_touches = 0;  // lines that no neighbour loaded, or stored, before
  std::uint64_t bank_cycles = 0;    // of threadgroup memory; of an atomic: distinct addresses
  bool operator==(const AccessCount&) const = default;
};

// One launch, of which some threadgroups were counted. It stands for `weight` launches of the same
// kernel and shape.
struct LaunchCounts {
  std::size_t launch = 0;  // its number in the plan
  std::size_t weight = 1;
  std::size_t counted = 0;     // threadgroups
  std::size_t simdgroups = 0;  // of these
  std::size_t threadgroup_bytes = 0;
  std::vector<double> group_work;  // instructions of each counted threadgroup
  bool is_after_gap = false;       // a launch before it did not run all its threadgroups
  std::vector<BlockCount> blocks;
  std::vector<AccessCount> sites;
  bool operator==(const LaunchCounts&) const = default;
};

// LaunchCounts as JSON, between the processes of one build.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BlockCount, executions, lanes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AccessCount, executions, lanes, lines, sectors, core_misses,
                                   first_touches, bank_cycles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchCounts, launch, weight, counted, simdgroups,
                                   threadgroup_bytes, group_work, is_after_gap, blocks, sites)

}  // namespace msci
