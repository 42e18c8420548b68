#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "base/elapsed.h"
#include "base/files/read_file.h"
#include "base/files/write_file.h"
#include "evaluator/modes/cache/result_memo.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/open_devices.h"
#include "evaluator/modes/selected_candidates.h"
#include "evaluator/progress.h"
#include "evaluator/result/files/perf_result.h"
#include "evaluator/result/result_text.h"
#include "lint/host/embedded/composed_sources.h"

namespace msci {
namespace {

// Looks for the causes of wrong results, and counts them.
class Causes {
 public:
  // `is_single`: one kernel on one task. For several, it takes too long.
  Causes(const EvaluatorOptions& options, const CandidateOrigin& origin, const Task& task,
         bool is_single)
      : options_(options), origin_(origin), task_(task), is_single_(is_single) {}

  // The candidate that is judged, unless its verdict was kept; then its file is read again, if it
  // still is one.
  void set_judged(const Candidate& candidate) {
    if (is_single_) judged_ = candidate;
  }

  std::optional<Diagnosis> find(const EvaluationResult& result) {
    const bool counts = is_wrong(result);
    if (options_.output.skips_diagnosis || options_.candidates.is_program ||
        (!counts && !is_wrong_strictly(result)))
      return std::nullopt;
    std::error_code problem;
    const bool is_readable =
        judged_ || origin_.task || std::filesystem::is_regular_file(origin_.file, problem);
    if (!is_single_ || !is_readable) {
      not_looked_for_ += counts ? 1 : 0;
      return std::nullopt;
    }
    constexpr auto checking = TranslationPurpose::checking;
    return diagnose(options_,
                    judged_ ? compiled_for(checking, *judged_)
                            : candidate_of(origin_, gate_rules(),
                                           compile_request_of(options_, &task_, checking)),
                    task_, result);
  }

  void print_rest() const {
    if (not_looked_for_ == 0 || options_.output.json) return;
    fmt::print(
        stderr, "msci-eval: {} wrong; msci-eval FILE --task TASK --check looks for the cause\n",
        not_looked_for_ == 1 ? "a result is" : fmt::format("{} results are", not_looked_for_));
  }

 private:
  const EvaluatorOptions& options_;
  const CandidateOrigin& origin_;
  const Task& task_;
  const bool is_single_;
  std::optional<Candidate> judged_;
  std::size_t not_looked_for_ = 0;  // without those that a verdict that does not decide refuses
};

// Prints the result of one file on one task; returns the exit status.
int print_result(EvaluationResult result, const EvaluatorOptions& options, Causes& causes) {
  const bool colour = wants_colour(options.output.colour);
  if (const auto* error = std::get_if<Error>(&result.result)) report_error(*error);
  if (!options.output.json && result.is_checked())
    fmt::print("{}", to_text(result, colour, options.is_strict()));
  std::fflush(stdout);
  result.diagnosis = causes.find(result);
  if (options.output.json)
    std::fputs((to_json(result) + "\n").c_str(), stdout);
  else
    fmt::print("{}", diagnosis_text(result, colour));
  std::fflush(stdout);
  return exit_status(result, options.is_strict());
}

// How many kernels are judged in how much time.
class Throughput {
 public:
  void add(const PhaseTimes& times) { sum_ += times; }
  void kernel_done(bool was_run) { ++(was_run ? judged_ : refused_); }
  // Prints nothing about a single kernel.
  void print() const {
    if (judged_ + refused_ < 2) return;
    const double seconds = seconds_since(start_);
    fmt::print(stderr, "msci-eval: {} kernels judged{} in {:.1f} s, {:.1f} a minute; seconds: {}\n",
               judged_, refused_ > 0 ? fmt::format(" and {} refused", refused_) : "", seconds,
               60 * (judged_ + refused_) / seconds, to_text(sum_));
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  unsigned judged_ = 0;
  unsigned refused_ = 0;
  PhaseTimes sum_;
};

// Prints all results that come next in the order of the files; returns the worst exit status.
int print_ready(ResultMemo& memo, const EvaluatorOptions& options, Causes& causes) {
  int status = all_right;
  while (const auto results = memo.next())
    for (const auto& result : *results)
      status = std::max(status, print_result(result, options, causes));
  return status;
}

void print_how_many_were_kept(const ResultMemo& memo) {
  if (memo.kept_before() > 0)
    fmt::print(
        stderr,
        "msci-eval: {} of {} verdicts were kept from earlier runs; --no-cache judges again\n",
        memo.kept_before(), memo.files());
}

// Whether reading sources ahead leaves all measurements undisturbed.
bool may_read_ahead(const std::vector<EvaluationContext>& contexts) {
  return std::all_of(contexts.begin(), contexts.end(), [](const EvaluationContext& context) {
    return !context.ceilings || !context.device.info().is_processor();
  });
}

// The sizes of a file on all tasks, and the comparison with a rival.
std::size_t steps_on(const EvaluatorOptions& options, const BatchOptions& batch) {
  std::size_t steps = batch.rival ? 1 : 0;
  for (const auto* task : batch.tasks)
    steps += task->sizes.size() + (options.verdict.held_out && task->held_out ? 1 : 0);
  return steps;
}

// The timing of the candidate beside the task's seed, which is evaluated here.
std::optional<Error> write_perf_result(const EvaluatorOptions& options, const Outcome& outcome,
                                       const Candidate& candidate, const Task& task,
                                       const EvaluationContext& context,
                                       const BatchOptions& batch) {
  const auto seed = read_rival("seed", options, task);
  if (!seed) return seed.error();
  const auto seed_result = judge(*seed, &task, context, batch);
  if (const auto* error = std::get_if<Error>(&seed_result.result)) return *error;
  const auto result =
      perf_result(task, *candidate.compiled->translation, outcome, *seed->compiled->translation,
                  std::get<Outcome>(seed_result.result), candidate.hash, seed_result.device,
                  batch.evaluation.repeats);
  return write_file(options.timing.perf_result, to_json(result));
}

// Reads the file of --perf-result, and checks that it is proven right unless --skip-gate is given.
// The text that is checked is the text that is timed.
std::optional<Error> read_proven(const EvaluatorOptions& options, CandidateOrigin& origin) {
  auto source = metal_in(read_source(origin.file));
  if (!source) return source.error();
  origin.source = *std::move(source);
  if (options.timing.skip_gate) return std::nullopt;
  const auto beside = std::filesystem::path(options.timing.perf_result).parent_path();
  const auto verified = options.timing.verified.empty() ? (beside / "verify_result.json").string()
                                                        : options.timing.verified;
  return refuse_timing(verified, origin.source->text);
}

}  // namespace

int exit_status(const EvaluationResult& result, bool strict) {
  const auto* outcome = std::get_if<Outcome>(&result.result);
  if (!outcome) return could_not_check;
  const auto* scored = std::get_if<Scored>(outcome);
  const bool right = scored && (!scored->held_out || scored->held_out->correct());
  return right && !(strict && strict_fail_reason(*outcome, result.strict)) ? all_right : not_right;
}

int evaluate_files(const EvaluatorOptions& options, std::vector<CandidateOrigin> origins,
                   BatchOptions batch, const std::vector<EvaluationContext>& contexts) {
  // The inputs of an earlier run are drawn anew.
  batch.remembers_refusals = !options.cache.is_off && options.verdict.nonce.empty();
  std::optional<Candidate> rival;
  if (!options.timing.rival.empty()) {
    auto read = read_rival(options.timing.rival, options, *batch.tasks.front());
    if (!read) return report_error(read.error());
    batch.rival = &rival.emplace(*std::move(read));
    batch.is_in_turns = !options.verdict.verify_only;
  }
  const auto first_origin = origins.front();
  ResultMemo memo(key_of_batch(options, batch, contexts),
                  std::size_t{options.cache.verdict_limit} << 20, std::move(origins));
  CandidateQueue queue(memo.open(), gate_rules(),
                       queue_request_of(options, batch.tasks.front(), judging_purpose(options)),
                       may_read_ahead(contexts));
  const bool is_single = queue.size() == 1;  // whose sizes are the steps
  Progress progress(is_single ? steps_on(options, batch) : queue.size());
  batch.begins_size = [&, is_first = true](const Candidate& candidate, const Task& task,
                                           std::string_view size) mutable {
    if (is_single && !std::exchange(is_first, false)) progress.step_done();
    progress.show(fmt::format("{} {} {}", memo.name_of(candidate), task.name, size));
  };
  Throughput throughput;
  Causes causes(options, first_origin, *batch.tasks.front(),
                memo.files() == 1 && batch.tasks.size() == 1);
  int status = print_ready(memo, options, causes);
  const auto take_results = [&](const Candidate& candidate, const std::vector<TaskResult>& results,
                                const EvaluationContext& context) {
    progress.erase();
    throughput.add({.front_end = candidate.compile_seconds});
    if (candidate.compiled) throughput.kernel_done(candidate.compiled->translation.has_value());
    for (const auto& [task, result] : results) throughput.add(result.times);
    memo.take(results);
    causes.set_judged(candidate);
    status = std::max(status, print_ready(memo, options, causes));
    for (const auto& [task, result] : results) {
      if (!task) continue;
      if (auto error = write_result_files(options, result, candidate, *task, context, batch))
        status = std::max(status, report_error(*error));
    }
    progress.step_done();
  };
  judge_all(queue, batch, contexts, take_results);
  causes.print_rest();
  throughput.print();
  print_how_many_were_kept(memo);
  return status;
}

std::optional<Error> prepare_result_files(const EvaluatorOptions& options,
                                          std::vector<CandidateOrigin>& origins) {
  if (options.timing.verify_result.empty() && options.timing.perf_result.empty())
    return std::nullopt;
  if (!options.timing.perf_result.empty())
    if (auto refusal = read_proven(options, origins.front())) return refusal;
  for (const auto& stale : {options.timing.verify_result, options.timing.perf_result})
    if (!stale.empty()) std::remove(stale.c_str());
  return std::nullopt;
}

std::optional<Error> write_result_files(const EvaluatorOptions& options,
                                        const EvaluationResult& result, const Candidate& candidate,
                                        const Task& task, const EvaluationContext& context,
                                        const BatchOptions& batch) {
  const auto* outcome = std::get_if<Outcome>(&result.result);
  if (!outcome) return std::nullopt;
  if (!options.timing.verify_result.empty()) {
    const auto verified = verify_result(task, *outcome, candidate.hash, result.device);
    if (auto error = write_file(options.timing.verify_result, to_json(verified))) return error;
  }
  if (options.timing.perf_result.empty() || !candidate.compiled->translation) return std::nullopt;
  return write_perf_result(options, *outcome, candidate, task, context, batch);
}

}  // namespace msci
