// The memory that the generated code of checked kernels shares with the run-time functions of the
// checks. The functions record the accesses of a simdgroup's lanes at once in shadow memory, and
// report faults to the log (check_layout.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/check/fault.h"
#include "engine/check/access_notes.h"
#include "engine/check/happens_before.h"

namespace msci::engine {

constexpr unsigned lanes_per_simdgroup = 32;

// The constants of a checked access, in memory of the generated code.
struct CheckedSite {
  std::uint32_t bytes;
  std::uint32_t align;
  std::uint32_t location_id;
  AccessKind kind;
  std::uint32_t is_threadgroup;
};
static_assert(sizeof(CheckedSite) == 5 * sizeof(std::uint32_t));

// Where a thread of the processor is in checked code. It survives when a trap ends that code.
struct CheckedPosition {
  std::uint32_t loop = 0;       // location of the loop whose iteration began last; 0 for none
  std::uint32_t lanes = 0;      // the lanes in that loop
  std::uint32_t simdgroup = 0;  // in its threadgroup
  std::uint32_t group[3] = {};
};

// The last barrier of a simdgroup.
struct CheckedArrival {
  std::uint32_t round = 0;  // barriers that it has reached
  std::uint32_t location_id = 0;
  std::uint32_t barrier = 0;  // distinguishes barriers of one location
  std::uint32_t lanes = 0;
  std::uint32_t existing = 0;
  bool has_ended = false;
};

// What generated code keeps of a thread of the processor.
struct CheckedThread {
  CheckedPosition position;
  AccessNotes notes;
};
static_assert(offsetof(CheckedThread, position) == 0);

// What the simdgroups of a checked threadgroup share.
struct CheckedThreadgroup : CheckedThread {
  std::vector<CheckedArrival> arrivals;  // by simdgroup
  std::uint32_t compared_rounds = 0;     // of barriers
  HappensBefore order;                   // of the threadgroups before, too
};

// The state of one simdgroup's checks. Generated code reserves the memory.
struct SimdgroupChecks {
  std::uint64_t* log;
  std::uint64_t* shadows[2];  // of device and of threadgroup memory
  const std::uint64_t* objects;
  CheckedThreadgroup* group;
  std::uint32_t index_bits;  // of a thread's index in its threadgroup
  std::uint32_t simdgroup;
  std::uint32_t existing;  // lanes
  // A barrier that some lanes did not reach, unless a lane with a lower number reaches another.
  struct {
    std::uint32_t location_id;
    std::uint32_t lane;
    std::uint32_t missing;  // a lane
    bool is_open;
  } divergence;
  std::uint64_t entries[2][lanes_per_simdgroup];  // of each lane, for device and threadgroup memory
};

}  // namespace msci::engine
