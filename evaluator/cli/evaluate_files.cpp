#include "evaluator/cli/evaluate_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/elapsed.h"
#include "evaluator/cli/exit_codes.h"
#include "evaluator/cli/proof_files.h"
#include "evaluator/cli/selected_candidates.h"
#include "evaluator/progress.h"
#include "evaluator/result/result_text.h"

namespace msci {
namespace {

// Prints the result of one file on one task; returns the exit status.
int print(const EvaluationResult& result, bool json, bool strict) {
  if (const auto* error = std::get_if<Error>(&result.result)) report_error(*error);
  if (json)
    std::fputs((to_json(result) + "\n").c_str(), stdout);
  else if (std::holds_alternative<Outcome>(result.result))
    fmt::print("{}", to_text(result, wants_colour()));
  std::fflush(stdout);
  return exit_status(result, strict);
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

// Whether reading sources ahead leaves all measurements undisturbed.
bool may_read_ahead(const std::vector<EvaluationContext>& contexts) {
  return std::all_of(contexts.begin(), contexts.end(), [](const EvaluationContext& context) {
    return !context.ceilings || context.device.info().kind != DeviceInfo::Kind::cpu;
  });
}

}  // namespace

int exit_status(const EvaluationResult& result, bool strict) {
  const auto* outcome = std::get_if<Outcome>(&result.result);
  if (!outcome) return could_not_check;
  const auto* scored = std::get_if<Scored>(outcome);
  const bool right = scored && (!scored->held_out || scored->held_out->correct());
  return right && !(strict && strict_fail_reason(*outcome, result.strict)) ? all_right : not_right;
}

int evaluate_files(const EvaluatorOptions& options, Assignment assignment,
                   const std::vector<EvaluationContext>& contexts) {
  std::optional<Candidate> rival;
  if (!options.rival.empty()) {
    auto read = read_rival(options.rival, options, *assignment.tasks.front());
    if (!read) return report_error(read.error());
    assignment.rival = &rival.emplace(*std::move(read));
  }
  CandidateQueue queue(origins_of(options, assignment.tasks),
                       {.rules = gate_rules(),
                        .purpose = assignment.protocol.chip ? TranslationPurpose::profiling
                                                            : TranslationPurpose::running,
                        .ahead = may_read_ahead(contexts),
                        .specialisation = specialisation_of(options, assignment.tasks.front())});
  Progress progress(queue.size());
  assignment.begins_size = [&](const Candidate& candidate, const Task& task,
                               std::string_view size) {
    progress.show(fmt::format("{} {} {}", candidate.name, task.name, size));
  };
  Throughput throughput;
  int status = all_right;
  const auto take_results = [&](const Candidate& candidate, const std::vector<TaskResult>& results,
                                const EvaluationContext& context) {
    progress.erase();
    throughput.add({.frontend = candidate.prepare_seconds});
    if (candidate.prepared) throughput.kernel_done(candidate.prepared->translation.has_value());
    for (const auto& [task, result] : results) {
      throughput.add(result.times);
      status = std::max(status, print(result, options.json, options.is_strict()));
      if (!task) continue;
      const auto written = write_proof(options, result, candidate, *task, context, assignment);
      if (!written) status = std::max(status, report_error(written.error()));
    }
    progress.step_done();
  };
  judge_all(queue, assignment, contexts, take_results);
  throughput.print();
  return status;
}

}  // namespace msci
