#include "evaluator/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/elapsed.h"
#include "evaluator/measure/timed_passes.h"
#include "evaluator/profile/profiled_run.h"
#include "evaluator/session/sanitized_program.h"
#include "evaluator/strict/strict_verdict.h"
#include "tasks/plan/bindings.h"
#include "tasks/plan/task.h"

namespace msci {
namespace {

// The judgement of the results of a run.
struct Judgement {
  Verdict verdict;
  std::optional<std::string> wrong_pass;  // as in SizeResult
  std::optional<bool> timed_correct;      // as in SizeResult
};

// The recorded verdict: runs one kernel at all sizes of its task, judges the results and times
// them. The program is that of the session, which is open.
class SizeLoop {
 public:
  SizeLoop(Session& session, Program& program, const EvaluationContext& context,
           const EvaluationOptions& options, PhaseTimes& times)
      : session_(session),
        task_(session.task()),
        translation_(*session.translation()),
        program_(program),
        context_(context),
        options_(options),
        times_(times),
        timing_(task_, context) {}

  // Wrong or Scored.
  Result<Outcome> all_sizes() {
    std::vector<SizeResult> sizes;
    for (const auto& size : task_.sizes) {
      auto result = one_size(size);
      if (!result) return result.error();
      sizes.push_back(*std::move(result));
      if (!sizes.back().correct() && options_.stop_at_wrong) break;
      // Each further size would wait for the limit again.
      if (is_time_out(sizes.back())) break;
    }
    if (!std::ranges::all_of(sizes, &SizeResult::correct)) return Outcome{Wrong{std::move(sizes)}};
    Scored scored{.sizes = std::move(sizes)};
    if (options_.held_out && task_.held_out) {
      auto held_out = one_size(*task_.held_out);
      if (!held_out) return held_out.error();
      scored.held_out = *std::move(held_out);
    }
    // A ceiling may have been too low when the first sizes were timed.
    for (auto& size : scored.sizes) timing_.relate(size);
    if (scored.held_out) timing_.relate(*scored.held_out);
    scored.score = score(scored.sizes);
    return Outcome{std::move(scored)};
  }
  // The device's, as measured in the end; none without timing.
  const std::optional<Ceilings>& ceilings() const { return timing_.ceilings(); }

 private:
  Result<SizeResult> one_size(const Size& size) {
    if (context_.begins_size) context_.begins_size(size.label);
    auto result = blank(size);
    auto ran = run_size(size);
    if (!ran) return ran.error();
    if (auto* failure = std::get_if<Failure>(&*ran)) {
      result.answer = std::move(*failure);
      return result;
    }
    auto& run = std::get<Run>(*ran);
    if (auto error = predict_time(size, run, result)) return *error;
    auto judgement = judge_run(size, run);
    if (!judgement) return judgement.error();
    auto timing = timing_.time(size, plan_, run.seconds, judgement->verdict.correct,
                               [&] { return run_size(size); });
    if (!timing) return timing.error();
    if (auto* failure = std::get_if<Failure>(&*timing))
      result.answer = std::move(*failure);
    else
      settle(result, run, *std::move(judgement),
             std::get<std::optional<Timing>>(*std::move(timing)));
    return result;
  }

  // The only place that decides what counts. An impossible time is a failure, whatever the results
  // are; and a time counts only where every pass was right and wrote only what it may.
  static void settle(SizeResult& result, Run& run, Judgement judgement,
                     std::optional<Timing> timing) {
    if (auto failure = impossible_time(timing))
      result.answer = *std::move(failure);
    else
      result.answer = std::move(judgement.verdict);
    result.wrong_pass = std::move(judgement.wrong_pass);
    result.timed_correct = judgement.timed_correct;
    result.overruns = std::move(run.overruns);
    result.changed_inputs = std::move(run.changed_inputs);
    if (result.keeps_the_rules()) result.timing = std::move(timing);
  }

  std::optional<Error> predict_time(const Size& size, const Run& run, SizeResult& to) const {
    if (!is_counting()) return std::nullopt;
    const auto profile = profile_of(translation_, plan_, run.counts);
    if (!profile) return profile.error();
    options_.predictor->predict(task_, size, *profile, to);
    return std::nullopt;
  }

  // Whether times are predicted from what the judged run counts.
  bool is_counting() const { return options_.predictor && session_.counts(); }

  // Runs without times take the code that the strict verdict compiles, which marks outcomes.
  bool shares_marked_code() const {
    return options_.repeats.timed == 0 && options_.strict_nonce && options_.strict.thorough &&
           options_.strict.certify && session_.device().info().chooses_order;
  }

  Result<Judgement> judge_run(const Size& size, const Run& run) {
    const auto expected =
        timed(times_.references, [&] { return reference_of(task_, size, context_.cache); });
    auto verdict = timed(times_.judging, [&] {
      return task_.judge(size, expected, run.outputs,
                         run.timed_outputs ? *run.timed_outputs : run.outputs);
    });
    if (!verdict) return verdict.error();
    name_difference(*verdict);
    Judgement judgement{.verdict = *std::move(verdict)};
    const auto most_error = explained_error(size, judgement.verdict);
    if (run.timed_outputs) {
      auto wrong_pass = timed(times_.judging, [&] {
        return timed_passes_->find_wrong(plan_, expected, run, most_error);
      });
      if (!wrong_pass) return wrong_pass.error();
      judgement.timed_correct = judgement.verdict.correct && !*wrong_pass;
      judgement.wrong_pass = *std::move(wrong_pass);
    }
    if (judgement.verdict.correct && !judgement.wrong_pass)
      judgement.wrong_pass = timed(
          times_.judging, [&] { return doubt(size, run.outputs, judgement.verdict, most_error); });
    return judgement;
  }

  // Tasks of the benchmark compare their first result, whose name depends on the steps.
  void name_difference(Verdict& verdict) const {
    if (verdict.differences && verdict.differences->first.starts_with('['))
      verdict.differences->first.insert(0, plan_.buffers[plan_.results.front()].name);
  }

  // The largest error of recorded inputs that rounding explains, where it was derived.
  std::optional<double> explained_error(const Size& size, const Verdict& verdict) const {
    if (!options_.strict.thorough || !verdict.tolerance) return std::nullopt;
    const auto derivation = derivation_from(task_.derivation);
    if (!derivation) return std::nullopt;
    return derivation->recorded_tolerance(size.label, *verdict.tolerance);
  }

  // Reason for rejecting a result that passes the recorded tolerance.
  std::optional<std::string> doubt(const Size& size, const Outputs& outputs, const Verdict& verdict,
                                   std::optional<double> most) const {
    if (most && verdict.error_value > *most)
      return fmt::format("{} is {:.3e}, more than rounding explains ({:.3e})", verdict.error_kind,
                         verdict.error_value, *most);
    if (!options_.strict.thorough || !task_.stress.recorded_error) return std::nullopt;
    constexpr double most_recomputed = 1e-3;  // what rounding leaves after hundreds of steps
    KeyedRandom draws(key_of(options_.strict_nonce.value_or(0), size.label, 4));
    const auto error = task_.stress.recorded_error(size, outputs, draws);
    if (error <= most_recomputed) return std::nullopt;
    return fmt::format("recomputed results are off by {:.3g}", error);
  }

  SizeResult blank(const Size& size) const {
    return {.label = std::string(size.label),
            .achieved_unit = std::string(task_.unit),
            .ceiling_unit = ceiling_unit_of(task_)};
  }

  Result<Attempt<Run>> run_size(const Size& size) {
    auto plan = timed(times_.inputs, [&] { return session_.plan(size); });
    if (!plan) return plan.error();
    if (auto* failure = std::get_if<Failure>(&*plan)) return Attempt<Run>{std::move(*failure)};
    plan_ = std::get<Plan>(*std::move(plan));
    plan_.execution = options_.execution;
    plan_.execution.counted = is_counting() || shares_marked_code();
    mark_constant_buffers(task_, plan_);
    if (options_.repeats.timed > 0)
      if (auto error = timed(times_.inputs, [&] {
            return timed_passes_.emplace(task_, size, fresh_nonce()).prepare(translation_, plan_);
          }))
        return *std::move(error);
    return timed(times_.run, [&] { return program_.run(plan_, options_.repeats); });
  }

  static std::optional<double> score(const std::vector<SizeResult>& sizes) {
    std::vector<double> fractions;
    for (const auto& size : sizes) {
      if (!size.timing) return std::nullopt;
      fractions.push_back(size.timing->fraction);
    }
    return geometric_mean(fractions);
  }

  Session& session_;
  const Task& task_;
  const Translation& translation_;
  Program& program_;
  const EvaluationContext& context_;
  const EvaluationOptions& options_;
  PhaseTimes& times_;
  SizeTiming timing_;
  Plan plan_;  // of the size that runs
  std::optional<TimedPasses> timed_passes_;
};

// The outcome of a program that the device does not build.
Result<Outcome> outcome_of(const Failure& failure, const Task& task) {
  if (auto error = blame_device(failure, "build the kernels of", task.name))
    return *std::move(error);
  return Outcome{Rejected{Rejected::Stage::pipeline, failure.message}};
}

// The program of a session; null, with the outcome, if it cannot run.
Result<Program*> open(Session& session, Evaluation& evaluation) {
  const auto& opened = *timed(evaluation.times.build, [&] { return &session.open(); });
  if (const auto* error = std::get_if<Error>(&opened)) return *error;
  if (const auto* rejected = std::get_if<Rejected>(&opened)) {
    evaluation.outcome = *rejected;
    return nullptr;
  }
  if (const auto* failure = std::get_if<Failure>(&opened)) {
    auto outcome = outcome_of(*failure, session.task());
    if (!outcome) return outcome.error();
    evaluation.outcome = *std::move(outcome);
    return nullptr;
  }
  return std::get<Program*>(opened);
}

std::optional<Error> judge_strictly(Session& session, Program& program,
                                    const EvaluationOptions& options, Evaluation& evaluation) {
  auto strict = options.strict;
  std::optional<SanitizedProgram> checked;
  if (options.processor && session.candidate())
    strict.checker = &checked.emplace(*session.candidate(), *options.processor);
  auto result = timed(evaluation.times.strict, [&] {
    return judge_strictly(session.task(), *session.translation(), session.device().info(), program,
                          *options.strict_nonce, strict);
  });
  if (!result) return result.error();
  evaluation.strict = *std::move(result);
  return std::nullopt;
}

// The recorded verdict. Its plans, which hold the inputs, end with it.
std::optional<Error> judge_sizes(Session& session, Program& program,
                                 const EvaluationContext& context, const EvaluationOptions& options,
                                 Evaluation& evaluation) {
  SizeLoop loop(session, program, context, options, evaluation.times);
  auto outcome = loop.all_sizes();
  if (!outcome) return outcome.error();
  evaluation.outcome = *std::move(outcome);
  evaluation.ceilings = loop.ceilings();
  return std::nullopt;
}

// Whether the processor reaches the strict verdict on a kernel of another device: it alone chooses
// orders and records outcomes, and has many cores.
bool processor_judges(const Session& session, const EvaluationOptions& options) {
  return options.processor && options.strict_nonce && options.strict.thorough &&
         session.candidate() && session.candidate()->compile_for &&  // Metal
         session.has_task() && !session.task().stress.sizes.empty() &&
         !session.device().info().chooses_order;
}

// Whether the kernel may run on its device: it passes the strict verdict on the processor, or the
// engine does not build it. Otherwise the recorded verdict on the processor is its outcome.
Result<bool> judge_on_processor(const Session& session, const EvaluationContext& context,
                                const EvaluationOptions& options, Evaluation& evaluation) {
  auto& processor = *options.processor;
  Session there(*session.candidate(), &session.task(), processor);
  if (std::holds_alternative<Failure>(there.open())) return true;  // a limit of the engine
  const auto program = open(there, evaluation);
  if (!program) return program.error();
  evaluation.is_of_processor = true;
  if (!*program) return false;
  session.device().prepare();
  if (auto error = judge_strictly(there, **program, options, evaluation)) return *error;
  evaluation.is_of_processor = !evaluation.strict->passed;
  if (evaluation.strict->passed) return true;
  auto untimed = options;
  untimed.repeats = verify_only;
  const EvaluationContext around{
      .device = processor, .cache = context.cache, .begins_size = context.begins_size};
  if (auto error = judge_sizes(there, **program, around, untimed, evaluation)) return *error;
  return false;
}

// A kernel could tell the device by how it rounds, and return stored results for recorded inputs.
// So the stress sizes, whose inputs are random, run on the device, too. If one is wrong there, the
// device's strict verdict replaces that of the processor.
std::optional<Error> repeat_on_device(Session& session, Program& program,
                                      const EvaluationOptions& options, Evaluation& evaluation) {
  auto plain = options;
  plain.processor = nullptr;
  plain.strict = {.fuzz_sizes = options.strict.fuzz_sizes};
  const auto of_processor = evaluation.strict;
  if (auto error = judge_strictly(session, program, plain, evaluation)) return error;
  if (evaluation.strict->passed) evaluation.strict = of_processor;
  return std::nullopt;
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
  if (processor_judges(session, options)) {
    const auto passed = judge_on_processor(session, context, options, evaluation);
    if (!passed) return passed.error();
    if (!*passed) return evaluation;
  }
  const auto program = open(session, evaluation);
  if (!program) return program.error();
  if (!*program) return evaluation;
  if (auto error = judge_sizes(session, **program, context, options, evaluation)) return *error;
  // A strict verdict belongs to a right outcome.
  if (!std::holds_alternative<Scored>(evaluation.outcome)) {
    evaluation.strict.reset();
    return evaluation;
  }
  if (!options.strict_nonce || session.task().stress.sizes.empty()) return evaluation;
  if (auto error = evaluation.strict ? repeat_on_device(session, **program, options, evaluation)
                                     : judge_strictly(session, **program, options, evaluation))
    return *error;
  return evaluation;
}

Result<Evaluation> evaluate(const Task& task, const Translation& translation,
                            const EvaluationContext& context, const EvaluationOptions& options) {
  Session session(translation, task, context.device);
  return evaluate(session, context, options);
}

}  // namespace msci
