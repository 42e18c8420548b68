// Whether proofs and checked runs say the same of a kernel.
#pragma once

#include <string>
#include <vector>

#include "analysis/proofs/kernel_proof.h"
#include "engine/device/device.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci {

struct ProofsAndRun {
  std::vector<KernelProof> proofs;  // with `confirmed` filled in
  // Each is a bug of the prover or of the checked mode: a fault of what is proved, or a certain
  // counterexample that the run does not show.
  std::vector<std::string> disagreements;
};

// Proves the plan's kernels, and runs the plan in each of the orders. Errors are ours.
Result<ProofsAndRun> compare_with_run(const Plan& plan, const Translation& checked,
                                      Program& program, const std::vector<std::string>& orders);

}  // namespace msci
