#include "evaluator/evaluate_candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/elapsed.h"
#include "base/files/install_paths.h"
#include "base/json.h"
#include "base/sha256.h"
#include "evaluator/profile/profiled_run.h"
#include "tasks/plan/bindings.h"
#include "tasks/plan/program.h"

namespace msci {
namespace {

// The most static threadgroup memory of the kernels that the task dispatches.
std::size_t threadgroup_bytes(const Task& task, const Translation& translation) {
  std::size_t most = 0;
  for (const auto& contract : task.kernels)
    if (const auto* kernel = translation.find(contract.name))
      most = std::max(most, kernel->threadgroup_bytes);
  return most;
}

void compare_with_rival(EvaluationResult& result, const Candidate& candidate, const Task& task,
                        const EvaluationContext& context, const BatchOptions& options) {
  if (!result.correct() || !options.is_in_turns) return;
  // What the strict verdict refuses needs no figure, and its reason must stay.
  if (options.evaluation.strict.thorough && result.strict && !result.strict->passed) return;
  const auto& rival = *options.rival;
  if (is_same_program(*candidate.compiled->translation, *rival.compiled->translation)) {
    result.comparison = ComparisonResult{.rival = rival.name, .same_program = true};
    return;
  }
  if (context.begins_size) context.begins_size("in turns with " + rival.name);
  auto compared = timed(result.times.comparison, [&] {
    return compare_paired(
        task, task.sizes, {*candidate.compiled->translation, context.device},
        {*rival.compiled->translation, context.device}, context.cache,
        {.turn = {.warmup = 1, .timed = 3, .cold = options.evaluation.repeats.cold},
         .end_early = options.evaluation.stop_at_wrong});
  });
  if (!compared)
    result.result = compared.error();
  else if (auto* failure = std::get_if<Failure>(&*compared);
           failure && failure->cause == Failure::Cause::wrong_pass)
    result.result = Outcome{
        Wrong{result.sizes(), fmt::format("in turns with {}, {}", rival.name, failure->message)}};
  else if (failure)
    result.result =
        Error{fmt::format("{} in turns with {}: {}", candidate.name, rival.name, failure->message)};
  else
    result.comparison = ComparisonResult{.rival = rival.name,
                                         .times = std::get<PairedComparison>(std::move(*compared))};
}

void compare_predicted(EvaluationResult& result, const Candidate& candidate, const Task& task,
                       const BatchOptions& options) {
  if (!result.correct()) return;
  auto compared =
      msci::compare_predicted(task, candidate, *options.rival, *options.evaluation.predictor);
  if (compared)
    result.predicted_comparison = *std::move(compared);
  else
    result.result = compared.error();
}

// Adds predictions to the measured times of a kernel that is right.
void predict_times(EvaluationResult& result, const Candidate& candidate, const Task& task,
                   const Predictor& predictor) {
  auto* outcome = std::get_if<Outcome>(&result.result);
  auto* scored = outcome ? std::get_if<Scored>(outcome) : nullptr;
  if (!scored) return;
  ProfiledProgram profiled(candidate, predictor);
  const auto predict = [&](const Size& size, SizeResult& to) -> std::optional<Error> {
    const auto profile = profiled.profile(task, size);
    if (!profile) return profile.error();
    predictor.predict(task, size, *profile, to);
    return std::nullopt;
  };
  std::optional<Error> error;
  for (std::size_t i = 0; i < scored->sizes.size() && !error; ++i)
    error = predict(task.sizes[i], scored->sizes[i]);
  if (scored->held_out && !error) error = predict(*task.held_out, *scored->held_out);
  if (error) result.result = *std::move(error);
}

// What is known of the translation before it runs.
void describe_program(EvaluationResult& result, const Task& task, const Translation& translation) {
  result.program = program_digest(translation);
  result.threadgroup_bytes = threadgroup_bytes(task, translation);
  result.type_mismatches = mismatched_buffers(task, translation);
}

// The strict refusals of a task, by program and not by text: another comment is not another draw of
// inputs. Kept beside the verdicts, whose cache makes room.
class Refusals {
 public:
  // Without a program or a strict verdict that decides, or if the files of a plan are unknown, it
  // keeps nothing.
  Refusals(Cache& cache, const Task& task, const std::string& program,
           const EvaluationOptions& options)
      : cache_(cache) {
    const auto version = task_version(task);
    if (program.empty() || !version || !options.strict_nonce || !options.strict.thorough) return;
    const auto digest = sha256_of(
        to_line(OrderedJson{program_identity(), task.plan_file.empty() ? task.name : task.plan_file,
                            *version, program}));
    entry_ = "verdicts/refused/" + digest;
  }

  // The result of the same program, as that of the file.
  std::optional<EvaluationResult> find(const std::string& file) const {
    const auto kept = entry_ ? cache_.load(*entry_) : std::nullopt;
    if (!kept) return std::nullopt;
    auto result = evaluation_from_json({reinterpret_cast<const char*>(kept->data()), kept->size()});
    if (!result) return std::nullopt;
    cache_.touch(*entry_);
    const auto before = std::exchange(result->file, file);
    if (result->strict)
      for (auto& fault : result->strict->faults)
        if (const auto at = fault.find(before + ":"); at != fault.npos)
          fault.replace(at, before.size(), file);
    return *std::move(result);
  }
  void remember(const EvaluationResult& result) {
    const auto json = to_json(result);
    if (entry_) cache_.store(*entry_, std::as_bytes(std::span(json)));
  }

 private:
  Cache& cache_;
  std::optional<std::string> entry_;
};

bool has_failed(const SizeResult& size) { return std::holds_alternative<Failure>(size.answer); }

// Whether the strict verdict refuses a kernel for what it does: limits and crashes may be chance.
bool is_refused_for_good(const EvaluationResult& result) {
  const auto* outcome = std::get_if<Outcome>(&result.result);
  const auto& strict = result.strict;
  const bool may_be_chance =
      strict && (std::ranges::any_of(strict->sizes, has_failed) || why_undecided(*strict));
  return outcome && !may_be_chance && strict_fail_reason(*outcome, strict);
}

// The verdicts and times of the candidate's own program, whose process ends before others start.
void judge_program(EvaluationResult& result, const Candidate& candidate, const Task* task,
                   const EvaluationContext& context, const BatchOptions& options) {
  Session session(candidate, task, context.device);
  if (const auto* translation = session.translation(); translation && task)
    describe_program(result, *task, *translation);
  if (!result.program.empty() && std::ranges::count(options.judged_programs, result.program) > 0) {
    result.result = Error{
        fmt::format("{} compiles to a program that was judged before, which --judged-program names",
                    result.file)};
    return;
  }
  std::optional<Refusals> refusals;
  if (task && options.remembers_refusals)
    refusals.emplace(context.cache, *task, result.program, options.evaluation);
  if (auto kept = refusals ? refusals->find(result.file) : std::nullopt) {
    kept->source_bytes = result.source_bytes;
    result = *std::move(kept);
    return;
  }
  auto evaluation = evaluate(session, context, options.evaluation);
  if (!evaluation) {
    result.result = evaluation.error();
    return;
  }
  auto error = explain_failures(session, *evaluation, options.evaluation, options.open_processor);
  if (error)
    result.result = *std::move(error);
  else
    result.result = std::move(evaluation->outcome);
  result.strict = std::move(evaluation->strict);
  result.times = evaluation->times;
  if (evaluation->is_of_processor) {
    result.device = options.evaluation.processor->info().name;
    result.ceilings.reset();
  }
  if (evaluation->ceilings) result.ceilings = ceilings_for(*task, *evaluation->ceilings);
  if (refusals && is_refused_for_good(result)) refusals->remember(result);
}

EvaluationResult blank_result(const Candidate& candidate, const Task* task,
                              const EvaluationContext& context, const BatchOptions& options) {
  using Role = EvaluationResult::Role;
  EvaluationResult result{.file = candidate.name,
                          .role = candidate.seed_of ? Role::seed : Role::candidate,
                          .task = std::string(task ? task->name : ""),
                          .device = context.device.info().name,
                          .ceilings = context.ceilings && task
                                          ? std::optional(ceilings_for(*task, *context.ceilings))
                                          : context.ceilings,
                          .source_bytes = candidate.source.size()};
  if (context.ceilings) {
    result.machine = machine_state();
    result.protocol = options.protocol_name;
  }
  return result;
}

}  // namespace

EvaluationResult judge(const Candidate& candidate, const Task* task,
                       const EvaluationContext& context, const BatchOptions& options) {
  auto result = blank_result(candidate, task, context, options);
  if (!candidate.compiled) {
    result.result = candidate.compiled.error();
    return result;
  }
  result.diagnostics = diagnostics_for(*candidate.compiled, task);
  const auto* predictor = options.evaluation.predictor;
  if (predictor) result.chip = predictor->chip.name;
  judge_program(result, candidate, task, context, options);
  if (predictor && task && candidate.purpose != TranslationPurpose::profiling)
    predict_times(result, candidate, *task, *predictor);
  if (options.rival && task) compare_with_rival(result, candidate, *task, context, options);
  if (options.rival && task && predictor) compare_predicted(result, candidate, *task, options);
  result.regression_type = regression_type(result.diagnostics, result.result);
  return result;
}

}  // namespace msci
