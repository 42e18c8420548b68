#include "evaluator/batch.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace msci {
namespace {

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
  Batch(const BatchOptions& options, const TakeResults& take_results)
      : options_(options), take_results_(take_results) {}

  // Judges candidates until none are left.
  void work_on(EvaluationContext context, const std::function<std::optional<Numbered>()>& take) {
    while (auto next = take()) {
      auto& [number, candidate] = *next;
      std::vector<TaskResult> judged;
      for (const auto* task : tasks_of(candidate, options_.tasks)) {
        context.begins_size = [&, &candidate = candidate](std::string_view size) {
          const std::lock_guard lock(mutex_);
          if (options_.begins_size) options_.begins_size(candidate, *task, size);
        };
        judged.push_back({task, judge(candidate, task, context, options_)});
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

  const BatchOptions& options_;
  const TakeResults& take_results_;
  std::mutex mutex_;
  std::map<std::size_t, Done> waiting_;  // for results that come before them
  std::size_t reported_ = 0;
};

}  // namespace

std::vector<const Task*> tasks_of(const Candidate& candidate,
                                  const std::vector<const Task*>& tasks) {
  if (candidate.seed_of) return {candidate.seed_of};
  if (tasks.size() == 1) return tasks;
  std::vector<const Task*> fit;
  if (candidate.compiled && candidate.compiled->translation)
    std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(fit), [&](const Task* task) {
      return std::any_of(task->kernels.begin(), task->kernels.end(), [&](const auto& kernel) {
        const auto& translation = *candidate.compiled->translation;
        return translation.find(kernel.name) || translation.find_refused(kernel.name);
      });
    });
  return fit.empty() ? std::vector<const Task*>{nullptr} : fit;
}

void judge_all(CandidateQueue& queue, const BatchOptions& options,
               std::span<const EvaluationContext> contexts, const TakeResults& take_results) {
  Batch batch(options, take_results);
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
