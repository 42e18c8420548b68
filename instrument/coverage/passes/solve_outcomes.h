// Asks Z3 about outcomes that no run has seen: they may be impossible, or need other sizes.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <set>
#include <vector>

#include "instrument/coverage/certificate.h"
#include "plan/program.h"

namespace msci {

struct SolvedOutcomes {
  std::set<std::size_t> impossible;                      // by number
  std::vector<std::vector<std::uint32_t>> wanted_sizes;  // as in Certificate
};

// `kernel`: with what is known of its launches, and the calls that are left. `outcomes`: by number;
// those that were never seen count. Without Z3, nothing is solved. Sizes are for the outcomes that
// leave a verdict open.
SolvedOutcomes solve_outcomes(llvm::Function& kernel, const KernelSignature& signature,
                              const std::vector<LaunchFact>& facts, const AllowedSizes& sizes,
                              const std::vector<CertifiedOutcome>& outcomes);

}  // namespace msci
