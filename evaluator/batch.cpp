#include "evaluator/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>

#include "evaluator/bindings.h"

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
  report.effort.turns =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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

// What the devices' threads share.
class Batch {
 public:
  Batch(SubjectLine& line, const Assignment& assignment, const Tell& tell)
      : line_(line), assignment_(assignment), tell_(tell) {}

  // Takes one subject after the other until there are no more.
  void work_on(Bench bench) {
    while (auto next = line_.take()) {
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

  SubjectLine& line_;
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
  Batch batch(line, assignment, tell);
  std::vector<std::jthread> others;
  for (const auto& bench : benches.subspan(1)) others.emplace_back([&] { batch.work_on(bench); });
  batch.work_on(benches.front());
}

}  // namespace msci
