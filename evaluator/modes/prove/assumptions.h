// What is assumed of a candidate: by --assume, and by comments of its source.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "engine/device/device.h"
#include "evaluator/session/candidate.h"
#include "tasks/plan/assumption/assumption.h"

namespace msci {

// Errors: a comment is not understood, or no kernel has all that an assumption names.
Result<std::vector<Assumption>> assumptions_for(const Candidate& candidate,
                                                const std::vector<std::string>& options);

// The assumptions that a launch of the plan breaks, each once. Numbers that kernels write are read
// after a run of the launches before. Errors are ours.
Result<std::vector<Diagnostic>> broken_assumptions(const std::vector<Assumption>& assumptions,
                                                   const Plan& plan, const Translation& checked,
                                                   Program& program);

}  // namespace msci
