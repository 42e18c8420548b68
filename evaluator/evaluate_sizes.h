// The recorded verdict: runs a program at the sizes of its task, judges the results and times them.
#pragma once

#include <optional>

#include "evaluator/evaluate.h"
#include "evaluator/result/outcome.h"
#include "evaluator/session/session.h"

namespace msci {

struct EvaluatedSizes {
  Outcome outcome;                   // Wrong or Scored
  std::optional<Ceilings> ceilings;  // the device's, as measured in the end; none without timing
};

// `program`: of the session, which is open. Adds to `times`. Errors: those of evaluate().
Result<EvaluatedSizes> evaluate_sizes(Session& session, Program& program,
                                      const EvaluationContext& context,
                                      const EvaluationOptions& options, PhaseTimes& times);

}  // namespace msci
