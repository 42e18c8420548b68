// What the generated code of checked kernels calls: records accesses, and reports faults to the log
// of instrument/check/check_memory.h, for the lanes of a simdgroup at once.
//
// A word of the shadow says what some thread did last to a cell of memory:
//   63..58 launch   57..34 thread   33..22 barriers passed   21..13 simdgroup barriers passed since
//   12..2 place   1 whether atomically   0 whether it changed nothing
// The largest counts of barriers mean that many or more, and order accesses. A thread is its
// threadgroup's number, then its index there. Zero means that no thread was here in this launch. A
// cell is three words: the last write, and two reads by threads of which the other might not be
// told from a coming writer. Where some access to the object is atomic, two more words describe
// atomic accesses, and the first word describes plain writes only.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/engine/simdgroup.h"

namespace msci::engine {

// The constants of a checked access, in memory of the generated code.
struct CheckedSite {
  std::uint32_t bytes;
  std::uint32_t align;
  std::uint32_t place;  // the location's number
  std::uint32_t touch;  // a Touch of translate/check/calls.h
  std::uint32_t is_threadgroup;
  // Without what only this engine wants to know.
  std::uint32_t kind() const { return touch & 3; }
};

// Where a thread of the processor is in checked code; it survives the end of that code by a trap.
struct CheckedPosition {
  std::uint32_t loop = 0;       // location of the loop whose iteration began last; 0 for none
  std::uint32_t lanes = 0;      // those in that loop
  std::uint32_t simdgroup = 0;  // in its threadgroup
  std::uint32_t group[3] = {};
};

// The last barrier of a simdgroup.
struct CheckedArrival {
  std::uint32_t round = 0;  // barriers that it has reached
  std::uint32_t place = 0;
  std::uint32_t barrier = 0;  // distinguishes barriers of one place
  std::uint32_t lanes = 0;
  std::uint32_t existing = 0;
  bool has_ended = false;
};

// What the simdgroups of a checked threadgroup share.
struct CheckedThreadgroup {
  CheckedPosition position;
  std::vector<CheckedArrival> arrivals;  // by simdgroup
  std::uint32_t compared_rounds = 0;     // of barriers
};

// What checked code keeps of its simdgroup; generated code reserves the memory.
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
    std::uint32_t place;
    std::uint32_t lane;
    std::uint32_t missing;  // a lane
    bool is_open;
  } divergence;
  std::uint64_t words[2][32];  // of each lane, for device and for threadgroup memory
};

// The functions by the names that generated code calls.
std::vector<std::pair<std::string, void*>> check_functions();

}  // namespace msci::engine
