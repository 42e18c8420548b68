#include "evaluator/cli/evaluate_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/elapsed.h"
#include "base/files/read_file.h"
#include "evaluator/cli/exit_codes.h"
#include "evaluator/cli/proof_files.h"
#include "evaluator/cli/selected_candidates.h"
#include "evaluator/cli/server/kept_verdicts.h"
#include "evaluator/progress.h"
#include "evaluator/result/result_text.h"
#include "evaluator/server/own_name.h"

namespace msci {
namespace {

// Prints the result of one file on one task; returns the exit status.
int print(const EvaluationResult& result, const EvaluatorOptions& options) {
  if (const auto* error = std::get_if<Error>(&result.result)) report_error(*error);
  if (options.json)
    std::fputs((to_json(result) + "\n").c_str(), stdout);
  else if (std::holds_alternative<Outcome>(result.result))
    fmt::print("{}", to_text(result, wants_colour(options.colour), options.is_strict()));
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

// The results of the files in their order: kept ones, those of an equal text before, and those of
// kernels that are judged now.
class Answers {
 public:
  Answers(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
          const std::vector<EvaluationContext>& contexts)
      : options_(options), kept_(options, tasks, contexts) {
    for (auto& origin : origins_of(options, tasks)) add(std::move(origin));
  }

  // What has to be judged.
  const std::vector<CandidateOrigin>& open() const { return open_; }
  // Of a candidate of an origin in open(), for people.
  const std::string& name_of(const Candidate& candidate) const {
    const auto found = names_.find(candidate.name);
    return found == names_.end() ? candidate.name : found->second;
  }

  // The results of the next origin in open().
  void take(const std::vector<TaskResult>& judged) {
    auto& answer = answers_[judged_[taken_++]];
    answer.results.emplace();
    for (const auto& each : judged) answer.results->push_back(each.result);
    if (!answer.digest.empty()) kept_.store(answer.digest, *answer.results);
  }

  // Prints all that come next in the order of the files; returns the worst exit status.
  int print_ready() {
    int status = all_right;
    for (; printed_ < answers_.size(); ++printed_) {
      const auto& answer = answers_[printed_];
      const auto& results = answers_[answer.same_as.value_or(printed_)].results;
      if (!results) break;
      for (const auto& result :
           answer.digest.empty() ? *results : renamed(*results, answer.digest, answer.name))
        status = std::max(status, print(result, options_));
    }
    return status;
  }

  void print_how_many_were_kept() const {
    if (kept_before_ > 0)
      fmt::print(
          stderr,
          "msci-eval: {} of {} verdicts were kept from earlier runs; --no-cache judges again\n",
          kept_before_, answers_.size());
  }

 private:
  struct Answer {
    std::string name;
    std::string digest = {};                  // empty: not shared
    std::optional<std::size_t> same_as = {};  // an earlier answer to an equal text
    std::optional<std::vector<EvaluationResult>> results = {};  // under the own name of `digest`
  };

  void add(CandidateOrigin origin) {
    Answer answer{.name = origin.file};
    const auto source = kept_.are_shared() ? read_source(origin.file) : Result<Source>(Error{});
    if (source) {
      answer.name = source->name;
      answer.digest = kept_.digest_of(source->text);
      const auto [first, is_new] = first_of_.try_emplace(answer.digest, answers_.size());
      if (is_new)
        answer.results = kept_.find(answer.digest);
      else
        answer.same_as = first->second;
      if (answer.results || (answer.same_as && answers_[*answer.same_as].results)) ++kept_before_;
      origin = {.source = Source{own_name_of(answer.digest), source->text}};
      names_[origin.source->name] = answer.name;
    }
    if (!answer.same_as && !answer.results) {
      judged_.push_back(answers_.size());
      open_.push_back(std::move(origin));
    }
    answers_.push_back(std::move(answer));
  }

  const EvaluatorOptions& options_;
  KeptVerdicts kept_;
  std::vector<Answer> answers_;
  std::vector<CandidateOrigin> open_;
  std::vector<std::size_t> judged_;              // the places in answers_ of open_
  std::map<std::string, std::size_t> first_of_;  // places by digest
  std::map<std::string, std::string> names_;     // by own name
  std::size_t taken_ = 0;
  std::size_t printed_ = 0;
  std::size_t kept_before_ = 0;
};

// Whether reading sources ahead leaves all measurements undisturbed.
bool may_read_ahead(const std::vector<EvaluationContext>& contexts) {
  return std::all_of(contexts.begin(), contexts.end(), [](const EvaluationContext& context) {
    return !context.ceilings || context.device.info().kind != DeviceInfo::Kind::cpu;
  });
}

// The sizes of a file on all tasks, and the comparison with a rival.
std::size_t steps_of(const EvaluatorOptions& options, const BatchOptions& batch) {
  std::size_t steps = batch.rival ? 1 : 0;
  for (const auto* task : batch.tasks)
    steps += task->sizes.size() + (options.held_out && task->held_out ? 1 : 0);
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

int evaluate_files(const EvaluatorOptions& options, BatchOptions batch,
                   const std::vector<EvaluationContext>& contexts) {
  std::optional<Candidate> rival;
  if (!options.rival.empty()) {
    auto read = read_rival(options.rival, options, *batch.tasks.front());
    if (!read) return report_error(read.error());
    batch.rival = &rival.emplace(*std::move(read));
  }
  Answers answers(options, batch.tasks, contexts);
  CandidateQueue queue(answers.open(), gate_rules(),
                       compile_request_of(options, batch.tasks.front(), judging_purpose(options)),
                       may_read_ahead(contexts));
  const bool is_single = queue.size() == 1;  // whose sizes are the steps
  Progress progress(is_single ? steps_of(options, batch) : queue.size());
  batch.begins_size = [&, is_first = true](const Candidate& candidate, const Task& task,
                                                std::string_view size) mutable {
    if (is_single && !std::exchange(is_first, false)) progress.step_done();
    progress.show(fmt::format("{} {} {}", answers.name_of(candidate), task.name, size));
  };
  Throughput throughput;
  int status = answers.print_ready();
  const auto take_results = [&](const Candidate& candidate, const std::vector<TaskResult>& results,
                                const EvaluationContext& context) {
    progress.erase();
    throughput.add({.frontend = candidate.compile_seconds});
    if (candidate.compiled) throughput.kernel_done(candidate.compiled->translation.has_value());
    for (const auto& [task, result] : results) throughput.add(result.times);
    answers.take(results);
    status = std::max(status, answers.print_ready());
    for (const auto& [task, result] : results) {
      if (!task) continue;
      const auto written = write_proof(options, result, candidate, *task, context, batch);
      if (!written) status = std::max(status, report_error(written.error()));
    }
    progress.step_done();
  };
  judge_all(queue, batch, contexts, take_results);
  throughput.print();
  answers.print_how_many_were_kept();
  return status;
}

}  // namespace msci
