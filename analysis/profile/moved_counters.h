// What a kernel does more or less often than another one, where that explains their times.
#pragma once

#include <string>
#include <vector>

#include "analysis/profile/predict.h"

namespace msci {

// Totals of a pass; for registers and simdgroups_per_core, of the launch that takes longest.
struct MovedCounter {
  std::string counter;  // as in the JSON of a profile
  double candidate = 0;
  double rival = 0;
  bool operator==(const MovedCounter&) const = default;
};

// At most six counters that differ by a tenth or more: those first whose part of the predicted time
// differs most.
std::vector<MovedCounter> moved_counters(const Profile& candidate, const Profile& rival,
                                         const Chip& chip);

}  // namespace msci
