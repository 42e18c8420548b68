#include "evaluator/gate.h"

#include <fmt/format.h>

#include "evaluator/measure/paired_comparison.h"
#include "tasks/plan/program.h"

namespace msci {
namespace {

// The task with the held-out size as its only one: then all that evaluates tasks evaluates it.
Task held_out_alone(const Task& task) {
  Task alone = task;
  alone.sizes = {*task.held_out};
  return alone;
}

// With a nonce, the strict verdict decides, too.
GateSide side_of(const Evaluation& evaluation, const GateOptions& options) {
  if (options.strict_nonce)
    if (auto reason = strict_fail_reason(evaluation.outcome, evaluation.strict))
      return {.fail_reason = *std::move(reason)};
  return gate_side(evaluation.outcome);
}

Result<GateSide> evaluate_there(const Task& task, const Candidate& candidate,
                                const EvaluationContext& context, const EvaluationOptions& how,
                                const GateOptions& options) {
  Session session(candidate, &task, context.device);
  auto evaluation = evaluate(session, context, how);
  if (!evaluation) return evaluation.error();
  if (options.open_processor)
    if (auto error = explain_failures(session, *evaluation, how, options.open_processor))
      return *std::move(error);
  return side_of(*evaluation, options);
}

// Compares the incumbent, which may fail this time, with the seed.
std::optional<Error> compare_there(const Task& alone, const Translation& seed,
                                   const Translation& incumbent, Device& device, Cache& references,
                                   GateResult& result) {
  auto compared =
      compare_paired(alone, alone.sizes, {incumbent, device}, {seed, device}, references);
  if (!compared) return compared.error();
  if (const auto* failure = std::get_if<Failure>(&*compared)) {
    result.incumbent = {.fail_reason = fmt::format("in turns, {}", failure->message)};
    result.verdict = GateVerdict::silent_incorrect;
    return std::nullopt;
  }
  const auto& comparison = std::get<PairedComparison>(*compared);
  result.speed_up = comparison.overall();
  if (comparison.is_slower()) result.verdict = GateVerdict::silent_regression;
  return std::nullopt;
}

// A kernel may be slower here and faster on the chip that it is written for.
std::optional<Error> judge_by_prediction(const Task& alone, const ComparePredicted& predict,
                                         GateResult& result) {
  auto predicted = predict(alone);
  if (!predicted) return predicted.error();
  result.predicted = *std::move(predicted);
  const auto claim = result.predicted->claim();
  if (claim.doubt != Doubt::unlike)
    result.verdict =
        claim.kind == ClaimKind::slower ? GateVerdict::silent_regression : GateVerdict::generalises;
  return std::nullopt;
}

GateResult blank_gate_result(const Task& task, const Device& device) {
  return {.task = std::string(task.name),
          .device = device.info().name,
          .size = std::string(task.held_out->label)};
}

}  // namespace

Result<GateResult> run_gate(const Task& task, const Candidate& seed, const Candidate& incumbent,
                            const EvaluationContext& context, const GateOptions& options) {
  auto shown = evaluate_there(task, incumbent, context,
                              {.repeats = verify_only,
                               .stop_at_wrong = true,
                               .strict_nonce = options.strict_nonce,
                               .strict = options.strict,
                               .processor = options.processor},
                              options);
  if (!shown) return shown.error();
  auto result = blank_gate_result(task, context.device);
  if (!shown->correct) {
    result.verdict = GateVerdict::incorrect;
    result.incumbent = *std::move(shown);
    return result;
  }
  const auto alone = held_out_alone(task);
  const EvaluationOptions timed{.repeats = options.repeats};
  auto seed_there = evaluate_there(alone, seed, context, timed, {});
  if (!seed_there) return seed_there.error();
  if (!seed_there->correct)
    return Error{fmt::format("the kernel to compare with is wrong at the held-out size: {}",
                             seed_there->fail_reason)};
  result.seed = *std::move(seed_there);
  auto incumbent_there = evaluate_there(alone, incumbent, context, timed, options);
  if (!incumbent_there) return incumbent_there.error();
  result.incumbent = *std::move(incumbent_there);
  const auto& seeds = *seed.compiled->translation;
  const auto& incumbents = *incumbent.compiled->translation;
  result.same_program = is_same_program(seeds, incumbents);
  if (!result.incumbent.correct) return result;
  result.verdict = GateVerdict::generalises;
  if (result.same_program) return result;
  if (auto error = compare_there(alone, seeds, incumbents, context.device, context.cache, result))
    return *error;
  if (options.predict && result.incumbent.correct)
    if (auto error = judge_by_prediction(alone, options.predict, result)) return *error;
  return result;
}

}  // namespace msci
