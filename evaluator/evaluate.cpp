#include "evaluator/evaluate.h"

#include <fmt/format.h>

#include "base/elapsed.h"
#include "evaluator/evaluate_sizes.h"
#include "evaluator/session/sanitized_program.h"

namespace msci {
namespace {

// The outcome of a program that the device does not build.
Result<Outcome> outcome_of(const Failure& failure, const Task& task) {
  if (may_be_the_devices(failure))
    return Error{fmt::format("could not build the kernels of {}: {}", task.name, failure.message)};
  return Outcome{Rejected{Rejected::Stage::pipeline, failure.message}};
}

// Of a program that is right by the recorded verdict.
Result<StrictResult> judge_strictly(Session& session, Program& program,
                                    const EvaluationOptions& options) {
  auto strict = options.strict;
  std::optional<SanitizedProgram> checked;
  if (options.checker && session.candidate())
    strict.checker = &checked.emplace(*session.candidate(), *options.checker);
  return judge_strictly(session.task(), *session.translation(), session.device().info(), program,
                        *options.strict_nonce, strict);
}

}  // namespace

Repeats repeats_of(TimingProtocol protocol) {
  switch (protocol) {
    case TimingProtocol::steady:
      return steady;
    case TimingProtocol::metal_sci:
      return metal_sci;
    case TimingProtocol::benchmark:
      return benchmark;
  }
  return steady;
}

Result<Evaluation> evaluate(Session& session, const EvaluationContext& context,
                            const EvaluationOptions& options) {
  Evaluation evaluation;
  const auto& opened = *timed(evaluation.times.build, [&] { return &session.open(); });
  if (const auto* error = std::get_if<Error>(&opened)) return *error;
  if (const auto* rejected = std::get_if<Rejected>(&opened)) {
    evaluation.outcome = *rejected;
    return evaluation;
  }
  if (const auto* failure = std::get_if<Failure>(&opened)) {
    auto outcome = outcome_of(*failure, session.task());
    if (!outcome) return outcome.error();
    evaluation.outcome = *std::move(outcome);
    return evaluation;
  }
  auto& program = *std::get<Program*>(opened);
  auto sizes = evaluate_sizes(session, program, context, options, evaluation.times);
  if (!sizes) return sizes.error();
  evaluation.outcome = std::move(sizes->outcome);
  evaluation.ceilings = sizes->ceilings;
  if (options.strict_nonce && !session.task().stress.sizes.empty() &&
      std::holds_alternative<Scored>(evaluation.outcome)) {
    auto strict =
        timed(evaluation.times.strict, [&] { return judge_strictly(session, program, options); });
    if (!strict) return strict.error();
    evaluation.strict = *std::move(strict);
  }
  return evaluation;
}

Result<Evaluation> evaluate(const Task& task, const Translation& translation,
                            const EvaluationContext& context, const EvaluationOptions& options) {
  Session session(translation, task, context.device);
  return evaluate(session, context, options);
}

}  // namespace msci
