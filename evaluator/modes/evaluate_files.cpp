#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "base/elapsed.h"
#include "evaluator/modes/cache/result_memo.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/open_devices.h"
#include "evaluator/modes/selected_candidates.h"
#include "evaluator/progress.h"
#include "evaluator/result/result_text.h"

namespace msci {
namespace {

// Prints the result of one file on one task; returns the exit status.
int print_result(const EvaluationResult& result, const EvaluatorOptions& options) {
  if (const auto* error = std::get_if<Error>(&result.result)) report_error(*error);
  if (options.output.json)
    std::fputs((to_json(result) + "\n").c_str(), stdout);
  else if (std::holds_alternative<Outcome>(result.result))
    fmt::print("{}", to_text(result, wants_colour(options.output.colour), options.is_strict()));
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

struct WrongResults {
  std::size_t count =
      0;  // without those that only the strict verdict refuses, if it does not decide
  std::optional<EvaluationResult> first;
};

// Prints all results that come next in the order of the files; returns the worst exit status.
int print_ready(ResultMemo& memo, const EvaluatorOptions& options, WrongResults& wrong) {
  int status = all_right;
  while (const auto results = memo.next())
    for (const auto& result : *results) {
      status = std::max(status, print_result(result, options));
      const bool counts = is_wrong(result);
      if ((counts || is_wrong_strictly(result)) && !wrong.first) wrong.first = result;
      wrong.count += counts ? 1 : 0;
    }
  return status;
}

// Says why the kernel is wrong. For several, that takes too long. `judged`: it, unless its verdict
// was kept; then its file is read again, if it still is one.
void explain_wrong(const WrongResults& wrong, const EvaluatorOptions& options,
                   const std::optional<Candidate>& judged, const CandidateOrigin& origin,
                   const Task& task, bool is_single) {
  if (!wrong.first || options.output.json || options.output.skips_diagnosis ||
      options.candidates.is_program)
    return;
  constexpr auto checking = TranslationPurpose::checking;
  std::error_code problem;
  if (is_single &&
      (judged || origin.task || std::filesystem::is_regular_file(origin.file, problem)))
    fmt::print("{}", diagnose(options,
                              judged ? compiled_for(checking, *judged)
                                     : candidate_of(origin, gate_rules(),
                                                    compile_request_of(options, &task, checking)),
                              task, *wrong.first));
  else if (wrong.count > 0)
    fmt::print(stderr,
               "msci-eval: {} wrong; msci-eval FILE --task TASK --check looks for the cause\n",
               wrong.count == 1 ? "a result is" : fmt::format("{} results are", wrong.count));
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
  std::optional<Candidate> judged;  // of one file
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
  WrongResults wrong;
  int status = print_ready(memo, options, wrong);
  const auto take_results = [&](const Candidate& candidate, const std::vector<TaskResult>& results,
                                const EvaluationContext& context) {
    progress.erase();
    throughput.add({.front_end = candidate.compile_seconds});
    if (candidate.compiled) throughput.kernel_done(candidate.compiled->translation.has_value());
    for (const auto& [task, result] : results) throughput.add(result.times);
    memo.take(results);
    status = std::max(status, print_ready(memo, options, wrong));
    if (memo.files() == 1) judged = candidate;
    for (const auto& [task, result] : results) {
      if (!task) continue;
      if (auto error = write_result_files(options, result, candidate, *task, context, batch))
        status = std::max(status, report_error(*error));
    }
    progress.step_done();
  };
  judge_all(queue, batch, contexts, take_results);
  explain_wrong(wrong, options, judged, first_origin, *batch.tasks.front(),
                memo.files() == 1 && batch.tasks.size() == 1);
  throughput.print();
  print_how_many_were_kept(memo);
  return status;
}

}  // namespace msci
