#include "evaluator/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/elapsed.h"
#include "evaluator/explain_failures.h"
#include "evaluator/forms/checked_form.h"
#include "instrument/profile/result/profiled_run.h"
#include "plan/bindings.h"
#include "plan/program_identity.h"

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
                        const EvaluationContext& context, const Assignment& assignment) {
  if (!result.correct() || assignment.protocol.repeats.timed == 0) return;
  // What the strict verdict refuses needs no figure, and its reason must stay.
  if (assignment.protocol.scrutiny.thorough && result.strict && !result.strict->passed) return;
  const auto& rival = *assignment.rival;
  if (is_same_program(*candidate.prepared->translation, *rival.prepared->translation)) {
    result.comparison = ComparisonResult{.rival = rival.name, .same_program = true};
    return;
  }
  if (context.begins_size) context.begins_size("in turns with " + rival.name);
  const auto start = std::chrono::steady_clock::now();
  auto compared =
      compare_paired(task, task.sizes, {*candidate.prepared->translation, context.device},
                     {*rival.prepared->translation, context.device}, context.cache,
                     {.turn = {.warmup = 1, .timed = 3, .cold = assignment.protocol.repeats.cold}});
  result.times.comparison = seconds_since(start);
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
                       const Assignment& assignment) {
  if (!result.correct()) return;
  auto compared =
      msci::compare_predicted(task, candidate, *assignment.rival, *assignment.predictor);
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
  PredictedForm form(candidate, predictor);
  const auto predict = [&](const Size& size, SizeResult& to) -> std::optional<Error> {
    const auto profile = form.profile(task, size);
    if (!profile) return profile.error();
    to.predicted = predict_pass(task, size, *profile, predictor.chip);
    return std::nullopt;
  };
  std::optional<Error> error;
  for (std::size_t i = 0; i < scored->sizes.size() && !error; ++i)
    error = predict(task.sizes[i], scored->sizes[i]);
  if (scored->held_out && !error) error = predict(*task.held_out, *scored->held_out);
  if (error) result.result = *std::move(error);
}

void judge_translation(EvaluationResult& result, const Candidate& candidate, const Task* task,
                       const EvaluationContext& context, const Assignment& assignment) {
  const auto& prepared = *candidate.prepared;
  if (!prepared.translation) {
    result.result = Rejected{Rejected::Stage::compile, prepared.rejection};
    return;
  }
  if (!task) {
    result.result = Rejected{Rejected::Stage::pipeline, fits_no_task};
    return;
  }
  result.program = program_digest(*prepared.translation);
  result.threadgroup_bytes = threadgroup_bytes(*task, *prepared.translation);
  result.type_mismatches = mismatched_buffers(*task, *prepared.translation);
  auto protocol = assignment.protocol;
  std::optional<CheckedForm> checked;
  if (assignment.checker) {
    checked.emplace(candidate, *assignment.checker);
    protocol.scrutiny.checker = &*checked;
  }
  auto evaluation = evaluate(*task, *prepared.translation, context, protocol);
  if (!evaluation) {
    result.result = evaluation.error();
    return;
  }
  auto error = explain_failures(candidate, *task, evaluation->outcome, context.device,
                                assignment.open_processor);
  if (!error && protocol.scrutiny.thorough && evaluation->strict)
    error = explain_failures(candidate, *task, *evaluation->strict, context.device);
  if (error)
    result.result = *std::move(error);
  else
    result.result = std::move(evaluation->outcome);
  result.strict = std::move(evaluation->strict);
  result.times = evaluation->times;
  if (evaluation->ceilings) result.ceilings = ceilings_for(*task, *evaluation->ceilings);
}

using Numbered = std::pair<std::size_t, Candidate>;  // from 0, in the queue's order

// Passes candidates from the thread that prepares them to those that judge.
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  void put(Numbered candidate) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < capacity_; });
    waiting_.push_back(std::move(candidate));
    changed_.notify_all();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }
  // None after the last.
  std::optional<Numbered> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return std::nullopt;
    auto candidate = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    return candidate;
  }

 private:
  std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Numbered> waiting_;
  bool is_closed_ = false;
};

// The state that the devices' threads share.
class Batch {
 public:
  Batch(const Assignment& assignment, const TakeResults& take_results)
      : assignment_(assignment), take_results_(take_results) {}

  // Judges candidates until none are left.
  void work_on(EvaluationContext context, const std::function<std::optional<Numbered>()>& take) {
    while (auto next = take()) {
      auto& [number, candidate] = *next;
      std::vector<TaskResult> judged;
      for (const auto* task : tasks_of(candidate, assignment_.tasks)) {
        context.begins_size = [&, &candidate = candidate](std::string_view size) {
          const std::lock_guard lock(mutex_);
          if (assignment_.begins_size) assignment_.begins_size(candidate, *task, size);
        };
        judged.push_back({task, judge(candidate, task, context, assignment_)});
      }
      done(number, {std::move(candidate), std::move(judged), context});
    }
  }

 private:
  struct Done {
    Candidate candidate;
    std::vector<TaskResult> judged;
    EvaluationContext context;
  };

  // Passes on the results that are next in the order.
  void done(std::size_t number, Done done) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(number, std::move(done));
    for (auto each = waiting_.find(reported_); each != waiting_.end();
         each = waiting_.find(reported_)) {
      each->second.context.begins_size = nullptr;
      take_results_(each->second.candidate, each->second.judged, each->second.context);
      waiting_.erase(each);
      ++reported_;
    }
  }

  const Assignment& assignment_;
  const TakeResults& take_results_;
  std::mutex mutex_;
  std::map<std::size_t, Done> waiting_;  // for results that come before them
  std::size_t reported_ = 0;
};

}  // namespace

EvaluationResult judge(const Candidate& candidate, const Task* task,
                       const EvaluationContext& context, const Assignment& assignment) {
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
    result.protocol = assignment.protocol_name;
  }
  if (!candidate.prepared) {
    result.result = candidate.prepared.error();
    return result;
  }
  result.diagnostics = candidate.prepared->diagnostics;
  const auto* predictor = assignment.predictor;
  if (const auto* chip = predictor ? &predictor->chip : assignment.protocol.chip)
    result.chip = chip->name;
  judge_translation(result, candidate, task, context, assignment);
  if (predictor && task && !assignment.protocol.chip)
    predict_times(result, candidate, *task, *predictor);
  if (assignment.rival && task) compare_with_rival(result, candidate, *task, context, assignment);
  if (assignment.rival && task && predictor)
    compare_predicted(result, candidate, *task, assignment);
  result.regression_type = regression_type(result.diagnostics, result.result);
  return result;
}

std::vector<const Task*> tasks_of(const Candidate& candidate,
                                  const std::vector<const Task*>& tasks) {
  if (candidate.seed_of) return {candidate.seed_of};
  if (tasks.size() == 1) return tasks;
  std::vector<const Task*> fit;
  if (candidate.prepared && candidate.prepared->translation)
    std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(fit), [&](const Task* task) {
      return std::any_of(task->kernels.begin(), task->kernels.end(), [&](const auto& kernel) {
        const auto& translation = *candidate.prepared->translation;
        return translation.find(kernel.name) || translation.find_refused(kernel.name);
      });
    });
  return fit.empty() ? std::vector<const Task*>{nullptr} : fit;
}

void judge_all(CandidateQueue& queue, const Assignment& assignment,
               std::span<const EvaluationContext> contexts, const TakeResults& take_results) {
  Batch batch(assignment, take_results);
  auto take = [&, number = std::size_t{0}]() mutable -> std::optional<Numbered> {
    if (auto candidate = queue.take()) return Numbered{number++, *std::move(candidate)};
    return std::nullopt;
  };
  if (contexts.size() == 1) return batch.work_on(contexts.front(), take);
  BoundedQueue prepared(contexts.size());
  std::vector<std::jthread> threads;
  for (const auto& context : contexts)
    threads.emplace_back([&] { batch.work_on(context, [&] { return prepared.take(); }); });
  while (auto next = take()) prepared.put(*std::move(next));
  prepared.close();
}

}  // namespace msci
