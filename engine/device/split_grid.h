// Grids for devices whose threadgroups all have one size.
#pragma once

#include <limits>
#include <vector>

#include "analysis/check/fault.h"
#include "tasks/plan/plan.h"

namespace msci {

// A part of a grid that its threadgroups divide.
struct GridPart {
  ThreadPosition first;  // thread, in the whole grid
  Extent groups;         // threadgroups
  Extent threadgroup;    // threads per threadgroup
};

constexpr unsigned unlimited = std::numeric_limits<unsigned>::max();

// Metal's threadgroups at the edges of a grid are smaller: up to eight parts are equivalent to it,
// and more where a part may have only `most_groups` threadgroups per dimension.
std::vector<GridPart> split_grid(const Extent& grid, const Extent& threadgroup,
                                 const Extent& most_groups = {unlimited, unlimited, unlimited});

}  // namespace msci
