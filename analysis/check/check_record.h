// What a run of a checked program records.
#pragma once

#include <vector>

#include "analysis/check/fault.h"
#include "analysis/check/kernel_message.h"

namespace msci {

struct CheckRecord {
  std::vector<Fault> faults;  // in the order of detection
  KernelMessages messages = {};
  BenignRaces benign_races = {};
  bool has_not_finite = false;  // some buffer of floats that kernels write holds infinity or NaN
  std::vector<unsigned> coverage = {};  // the locations of Translation::marked that it reached
  bool operator==(const CheckRecord&) const = default;
};

}  // namespace msci
