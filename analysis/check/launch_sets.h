// Which launches of a plan may overlap, and how their entries in the shadow are told apart.
#pragma once

#include <cstddef>
#include <vector>

#include "tasks/plan/plan.h"

namespace msci {

// A launch in its set: the launches that may overlap. The threadgroups of a set are numbered
// through.
struct LaunchSlot {
  std::size_t set = 0;     // from 0 in the order of the plan
  unsigned number = 0;     // of the set in the shadow's entries: 0 to distinct_launches - 1
  bool is_first = false;   // of its set
  bool is_shared = false;  // the set has other launches
  std::size_t first_threadgroup = 0;
  unsigned index_bits = 0;  // of a thread's index in its threadgroup; equal in the set
};

// One for each launch of the plan.
std::vector<LaunchSlot> launch_slots(const Plan& plan);

// Threadgroups per dimension; those at the edges may be smaller.
Extent threadgroups_of(const Launch& launch);

}  // namespace msci
