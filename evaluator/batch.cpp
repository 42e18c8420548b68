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

#include "evaluator/bindings.h"
#include "evaluator/measure/elapsed.h"

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

void measure_against_rival(EvaluationReport& report, const Subject& subject, const Task& task,
                           const Bench& bench, const Assignment& assignment) {
  const auto* outcome = std::get_if<Outcome>(&report.result);
  if (!outcome || !std::holds_alternative<Scored>(*outcome)) return;
  const auto& rival = *assignment.rival;
  const auto start = std::chrono::steady_clock::now();
  auto versus = compare_in_turns(
      task, task.sizes, {*subject.prepared->translation, bench.device},
      {*rival.prepared->translation, bench.device},
      {.turn = {.warmup = 1, .timed = 3, .cold = assignment.protocol.repeats.cold}});
  report.effort.turns = seconds_since(start);
  report.rival = rival.name;
  if (!versus)
    report.result = versus.error();
  else if (auto* failure = std::get_if<Failure>(&*versus))
    report.result =
        Error{fmt::format("{} in turns with {}: {}", subject.name, rival.name, failure->message)};
  else
    report.versus = std::get<Versus>(std::move(*versus));
}

void judge_translation(EvaluationReport& report, const Prepared& prepared, const Task* task,
                       const Bench& bench, const Protocol& protocol) {
  if (!prepared.translation) {
    report.result = Rejected{Rejected::Stage::compile, prepared.rejection};
    return;
  }
  if (!task) {
    report.result = Rejected{Rejected::Stage::pipeline, fits_no_task};
    return;
  }
  report.threadgroup_bytes = threadgroup_bytes(*task, *prepared.translation);
  report.misread = misread_buffers(*task, *prepared.translation);
  auto evaluation = evaluate(*task, *prepared.translation, bench, protocol);
  if (!evaluation) {
    report.result = evaluation.error();
    return;
  }
  report.result = std::move(evaluation->outcome);
  report.strict = std::move(evaluation->strict);
  report.effort = evaluation->effort;
}

using Numbered = std::pair<std::size_t, Subject>;  // from 0, in the line's order

// Hands subjects from the thread that prepares them to those that judge: at most so many wait.
class Handout {
 public:
  explicit Handout(std::size_t most) : most_(most) {}

  void put(Numbered subject) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < most_; });
    waiting_.push_back(std::move(subject));
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
    auto subject = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    return subject;
  }

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Numbered> waiting_;
  bool is_closed_ = false;
};

// What the devices' threads share.
class Batch {
 public:
  Batch(const Assignment& assignment, const Tell& tell) : assignment_(assignment), tell_(tell) {}

  // Judges what it takes until there is no more.
  void work_on(Bench bench, const std::function<std::optional<Numbered>()>& take) {
    while (auto next = take()) {
      auto& [number, subject] = *next;
      std::vector<Judged> judged;
      for (const auto* task : tasks_of(subject, assignment_.tasks)) {
        bench.begins_size = [&, &subject = subject](std::string_view size) {
          const std::lock_guard lock(mutex_);
          if (assignment_.begins) assignment_.begins(subject, *task, size);
        };
        judged.push_back({task, judge(subject, task, bench, assignment_)});
      }
      done(number, {std::move(subject), std::move(judged), bench});
    }
  }

 private:
  struct Done {
    Subject subject;
    std::vector<Judged> judged;
    Bench bench;
  };

  // Tells of what is done, as far as nothing before it is missing.
  void done(std::size_t number, Done done) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(number, std::move(done));
    for (auto each = waiting_.find(told_); each != waiting_.end(); each = waiting_.find(told_)) {
      each->second.bench.begins_size = nullptr;
      tell_(each->second.subject, each->second.judged, each->second.bench);
      waiting_.erase(each);
      ++told_;
    }
  }

  const Assignment& assignment_;
  const Tell& tell_;
  std::mutex mutex_;
  std::map<std::size_t, Done> waiting_;  // for those before them
  std::size_t told_ = 0;
};

}  // namespace

EvaluationReport judge(const Subject& subject, const Task* task, const Bench& bench,
                       const Assignment& assignment) {
  EvaluationReport report{.file = subject.name,
                          .device = bench.device.info().name,
                          .ceilings = bench.ceilings,
                          .is_seed = subject.seed_of != nullptr,
                          .source_bytes = subject.source_bytes,
                          .machine = bench.ceilings ? std::optional(machine_state()) : std::nullopt,
                          .protocol = bench.ceilings ? assignment.protocol_name : "",
                          .result = Error{}};
  if (task) {
    report.task = task->name;
    report.achieved_unit = task->unit;
    report.ceiling = task->ceiling;
  }
  if (!subject.prepared) {
    report.result = subject.prepared.error();
    return report;
  }
  report.diagnostics = subject.prepared->diagnostics;
  judge_translation(report, *subject.prepared, task, bench, assignment.protocol);
  if (assignment.rival && task) measure_against_rival(report, subject, *task, bench, assignment);
  return report;
}

std::vector<const Task*> tasks_of(const Subject& subject, const std::vector<const Task*>& tasks) {
  if (subject.seed_of) return {subject.seed_of};
  if (tasks.size() == 1) return tasks;
  std::vector<const Task*> fit;
  if (subject.prepared && subject.prepared->translation)
    std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(fit), [&](const Task* task) {
      return std::any_of(task->kernels.begin(), task->kernels.end(), [&](const auto& kernel) {
        return subject.prepared->translation->find(kernel.name);
      });
    });
  return fit.empty() ? std::vector<const Task*>{nullptr} : fit;
}

void judge_all(SubjectLine& line, const Assignment& assignment, std::span<const Bench> benches,
               const Tell& tell) {
  Batch batch(assignment, tell);
  auto take = [&, number = std::size_t{0}]() mutable -> std::optional<Numbered> {
    if (auto subject = line.take()) return Numbered{number++, *std::move(subject)};
    return std::nullopt;
  };
  if (benches.size() == 1) return batch.work_on(benches.front(), take);
  Handout handout(benches.size());
  std::vector<std::jthread> threads;
  for (const auto& bench : benches)
    threads.emplace_back([&] { batch.work_on(bench, [&] { return handout.take(); }); });
  while (auto next = take()) handout.put(*std::move(next));
  handout.close();
}

}  // namespace msci
