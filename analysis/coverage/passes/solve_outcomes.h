// Asks Z3 about outcomes that no run has seen: they may be impossible, or need other sizes.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "analysis/coverage/certificate.h"
#include "base/result.h"
#include "tasks/plan/program.h"

namespace msci {

struct SolvedOutcomes {
  std::set<std::size_t> impossible;                      // by number
  std::vector<std::vector<std::uint32_t>> wanted_sizes;  // as in Certificate
};

// The outcomes of a kernel, of which those count that were never seen or are degenerate.
struct OutcomesToSolve {
  const std::vector<CertifiedOutcome>& all;  // by number
  const std::set<std::size_t>& degenerate;   // seen, but only where a side is 1
  const std::set<std::size_t>& found;        // that a wanted size is known to show
};

// Gets the answers so far.
using OnSolved = std::function<void(const SolvedOutcomes& part)>;

// `kernel`: with what is known of its launches, and the calls that are left. Sizes are for the
// outcomes that leave a verdict open, and for degenerate ones. Errors: there is something to solve,
// and Z3 is missing.
Result<SolvedOutcomes> solve_outcomes(llvm::Function& kernel, const KernelSignature& signature,
                                      const std::vector<LaunchFact>& facts,
                                      const AllowedSizes& sizes, const OutcomesToSolve& outcomes,
                                      const OnSolved& on_solved);

}  // namespace msci
