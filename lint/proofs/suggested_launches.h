// Launches that a kernel's source suggests, where neither a plan nor a host names one.
#pragma once

#include <array>
#include <vector>

#include "analysis/facts/launch_facts.h"
#include "lint/proofs/kernel_shape.h"
#include "tasks/plan/program.h"

namespace msci {

// What launches are suggested for. Proofs may also try shapes that the source only hints at. A
// search for faults may not: one in such a launch says nothing about the launches of a host.
enum class LaunchPurpose { finding_faults, proving };

struct SuggestedThreadgroup {
  Extent threads;
  bool is_named = false;  // the source names this size; otherwise it is a common one
};

// The likeliest first.
std::vector<SuggestedThreadgroup> suggest_threadgroups(const KernelShape& shape,
                                                       const KernelSignature& signature,
                                                       LaunchPurpose purpose);

// The numbers that a host binds to references.
enum class BoundNumbers {
  of_grid,  // all as large as the grid
  rising,   // large ones, each larger than the one before
  falling,
  strides,  // each many times the one before it, also within a struct
  any,
};

struct LaunchSetting {
  std::array<unsigned, 3> groups{4, 4, 4};  // at most, by dimension
  BoundNumbers numbers = BoundNumbers::of_grid;
  // Whether a barrier orders only what its flags name. Most wrong flags are the matter of rules
  // that look at barriers.
  bool flags_matter = false;
  auto operator<=>(const LaunchSetting&) const = default;
};

// A launch of whole threadgroups, of several where the kernel looks at their position. Buffers are
// longer than anything that the kernel may reach.
prover::LaunchFacts facts_of(const Extent& threadgroup, const LaunchSetting& setting,
                             const Kernel& kernel, const KernelShape& shape,
                             const KernelSignature& signature, const Unit& unit);

}  // namespace msci
