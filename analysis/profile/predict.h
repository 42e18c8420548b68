// How long a profiled pass would take on an Apple GPU: docs/concepts/prediction.md.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "analysis/profile/bound.h"
#include "analysis/profile/chip.h"
#include "analysis/profile/profile.h"

namespace msci {

// What the model does not take from a publication, fitted on recorded kernels. Cycles are of a
// core.
enum class Constant : unsigned {
  launch_microseconds,  // from the last store of a launch to the first instruction of the next
  alone_issue,          // cycles an instruction where a scheduler has one simdgroup
  core_latency,         // cycles until a load arrives that finds its line in the core's cache
  miss_latency,         // and how much longer another one takes
  threadgroup_latency,  // and one from threadgroup memory
  barrier,              // cycles that a simdgroup waits at a barrier
  branch,               // cycles of a scheduler for each condition
  loop,                 // and for each end of an iteration
  access,               // cycles for each access of device memory
  line,                 // cycles for each line of 128 bytes of an access
  bank_cycle,           // for each turn of threadgroup memory's banks
  missed_sector,        // for each 32 bytes of lines that the core's cache lacks
  cache_bandwidth,      // of the system cache, in GB/s and core
  dram_share,           // of the bandwidth of the memory that kernels reach
  spill,                // cycles for each register that does not fit, and access of a private array
  overlap,              // how far units work at the same time: the exponent of a norm
  atomic,               // cycles for each address
  slow_clock,           // share of the full clock at which a pass begins
  ramp_milliseconds,    // until the clock is full
  last = ramp_milliseconds,
};
constexpr std::size_t constant_count = static_cast<std::size_t>(Constant::last) + 1;
std::string_view to_string(Constant constant);

struct ModelConstants {
  std::array<double, constant_count> values = {};
  double operator[](Constant constant) const { return values[static_cast<std::size_t>(constant)]; }
};
extern const ModelConstants m1_pro_constants;

// The seconds of one launch, and those that it would take if nothing but one part took time.
struct LaunchPrediction {
  double seconds = 0;
  // If Apple's compiler kept all values of a thread in registers, and these did not limit
  // occupancy.
  double seconds_in_registers = 0;
  std::array<double, bound_count> parts = {};
  Occupancy occupancy;
  std::size_t weight = 1;  // equal launches that it stands for
  Bound bound() const;
};

struct Prediction {
  // Of a pass. The launches have the full clock, which a pass that begins on an idle GPU lacks at
  // first.
  double seconds = 0;
  double seconds_in_registers = 0;         // as of a launch
  std::vector<LaunchPrediction> launches;  // as in the profile
  Bound bound() const;                     // of the most time of all equal launches together
  // The place of the launch that takes longest, with all equal ones; 0 without launches.
  std::size_t longest_launch() const;
};

LaunchPrediction predict(const LaunchProfile& launch, const Chip& chip,
                         const ModelConstants& constants);
Prediction predict(const Profile& profile, const Chip& chip,
                   const ModelConstants& constants = m1_pro_constants);

}  // namespace msci
