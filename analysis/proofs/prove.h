// Proves that the kernels of a plan have no races, no accesses out of bounds and no barriers that
// only some threads reach: for all threads, orders and data, at the sizes of the plan.
//
// A proof is about the IR of a checked translation, and says that none of the checks in it can
// report such a fault. So what is proved is silent in every checked run, and a refutation can be
// shown by one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/facts/launch_facts.h"
#include "analysis/facts/specialise_kernel.h"
#include "analysis/proofs/kernel_proof.h"
#include "analysis/solver/z3.h"
#include "base/result.h"
#include "tasks/plan/assumption/assumption.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci {

struct ProofLimits {
  // Of Z3, for each question, the same on every machine: mostly less than three seconds.
  unsigned query_steps = 4'000'000;
  // Of Z3, for all questions about a kernel in one launch; what is left over is unknown.
  std::uint64_t launch_steps = 12'000'000;
};

// What is proved.
struct ProofScope {
  bool bounds_of_buffers = true;  // also bounds of buffers, beside those of arrays
  // Whether a barrier orders only the memory that its flags name. Otherwise it orders all.
  bool flags_matter = true;
  // Whether bounds are the only claims if an access leaves a threadgroup array.
  bool stops_outside = false;
  bool arithmetic = false;  // claims about divisors, shifts and conversions
  // For lint, which has no plan: whether a fault may need data. A number that the kernel limits
  // itself, as by `% 8`, then has each value within its limits, and numbers that are computed from
  // different data differ. Otherwise a fault is certain only if it needs no data.
  bool any_data = false;
  // How the code is simplified; a quick proof is of code that was translated for it.
  prover::Effort effort = prover::Effort::full;
};

// `checked` was translated for the checked mode. Kernels that it lacks are left out. What is
// assumed holds of the kernels that have what it names. Errors: Z3 is missing; an assumption does
// not hold with the numbers of the plan.
Result<std::vector<KernelProof>> prove(const Plan& plan, const Translation& checked,
                                       std::span<const Assumption> assumptions = {});

// The same for one kernel in one launch, which `checked` has.
Result<KernelProof> prove_launch(const prover::LaunchFacts& facts, const Translation& checked,
                                 prover::Z3& z3, const ProofLimits& limits = {},
                                 const ProofScope& scope = {});

}  // namespace msci
