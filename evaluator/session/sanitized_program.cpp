#include "evaluator/session/sanitized_program.h"

#include "evaluator/check/checked_run.h"

namespace msci {

Result<Attempt<std::monostate>> SanitizedProgram::prepare() {
  const auto program = session_.open_instrumented();
  if (!program) return program.error();
  if (const auto* failure = std::get_if<Failure>(&*program))
    return Attempt<std::monostate>{*failure};
  return Attempt<std::monostate>{};
}

Result<Attempt<FoundFaults>> SanitizedProgram::find_faults(const Plan& plan) {
  using Faults = Attempt<FoundFaults>;
  const auto program = session_.open_instrumented();
  if (!program) return program.error();
  if (const auto* failure = std::get_if<Failure>(&*program)) return Faults{*failure};
  const auto ran = std::get<Program*>(*program)->run(plan, verify_only);
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran)) {
    if (auto error = blame_device(*failure, "check", session_.candidate()->name))
      return *std::move(error);
    return Faults{*failure};
  }
  const auto& translation = *session_.translation();
  FoundFaults found;
  for (const auto& fault : std::get<Run>(*ran).checks.faults)
    if (is_decisive(fault, translation))
      found.decisive.push_back(describe(fault, translation));
    else if (fault.kind == Fault::Kind::race)
      found.has_other_race = true;
  return Faults{std::move(found)};
}

}  // namespace msci
