// Proves that the kernels of a plan have no races, no accesses out of bounds and no barriers that
// only some threads reach: for all threads, orders and data, at the sizes of the plan.
//
// A proof is about the IR of a checked translation, and says that none of the checks in it can
// report such a fault. So what is proved is silent in every checked run, and a refutation can be
// shown by one.
#pragma once

#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "plan/program.h"
#include "prover/kernel_proof.h"

namespace msci {

struct ProofLimits {
  unsigned query_milliseconds = 2000;  // for each question to Z3
  double kernel_seconds = 20;          // for each kernel and launch; what is left over is unknown
};

// `checked` was translated for the checked mode. Kernels that it lacks are left out. Errors: Z3 is
// missing.
Result<std::vector<KernelProof>> prove(const Plan& plan, const Translation& checked,
                                       const ProofLimits& limits = {});

}  // namespace msci
