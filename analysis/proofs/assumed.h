// What the author of a kernel assumes of its launches, as facts of a proof.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/facts/code.h"
#include "analysis/facts/launch_facts.h"
#include "analysis/terms/script.h"
#include "base/result.h"
#include "tasks/plan/assumption/assumption.h"
#include "tasks/plan/program.h"

namespace msci::prover {

// What is wrong with an assumption in launches whose numbers are all known; nothing where it holds,
// or where a number is not known.
[[nodiscard]] std::optional<Error> broken_assumption(const Assumption& assumption,
                                                     const LaunchFacts& facts,
                                                     const KernelSignature& signature);

// Adds the assumptions of the launches to what holds of the numbers that they name. Returns
// formulas that name these numbers and say nothing else.
std::vector<std::string> assume(const Code& code, Script& script);

}  // namespace msci::prover
