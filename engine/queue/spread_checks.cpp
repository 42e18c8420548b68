#include <algorithm>

#include "analysis/check/check_layout.h"
#include "engine/queue/cpu_queue.h"

namespace msci::engine {
namespace {

// Words of notes for which other threads of the processor are worth waking.
constexpr std::size_t least_for_others = 2048;

}  // namespace

void SpreadChecks::begin(const std::vector<CheckedThread*>& threads, const std::uint64_t* log) {
  while (threads_.size() < threads.size()) {
    auto& added = *threads_.emplace_back(std::make_unique<OfThread>());
    added.memory = std::make_unique_for_overwrite<std::uint64_t[]>(AccessNotes::most_words +
                                                                   AccessNotes::spare_words);
  }
  count_ = threads.size();
  for (std::size_t i = 0; i < count_; ++i) {
    auto& each = *threads_[i];
    each.thread = threads[i];
    each.thread->notes = {each.memory.get(), each.memory.get() + AccessNotes::most_words};
    each.is_taken.clear();
  }
  log_ = log;
  faults_before_ = log[0];
  messages_before_ = log[CheckLog::messages_at];
  benign_races_before_ = log[CheckLog::benign_races_at];
}

bool SpreadChecks::is_certain(ThreadPool& pool, unsigned index_bits) {
  if (log_[0] != faults_before_ || log_[CheckLog::messages_at] != messages_before_ ||
      log_[CheckLog::benign_races_at] != benign_races_before_)
    return false;
  for (std::size_t i = 0; i < count_; ++i)
    if (threads_[i]->thread->notes.is_full()) return false;
  std::atomic<bool> is_certain = true;
  const auto helpers = noted_words() < least_for_others ? 1 : static_cast<unsigned>(count_);
  // Its own notes first, which are in its cache.
  pool.run(helpers, [&](unsigned number) {
    for (std::size_t i = 0; i < count_; ++i) {
      auto& each = *threads_[(number + i) % count_];
      if (each.is_taken.test_and_set()) continue;
      if (are_contested(each.thread->notes, each.memory.get(), index_bits)) is_certain = false;
    }
  });
  return is_certain;
}

std::size_t SpreadChecks::noted_words() const {
  std::size_t words = 0;
  for (std::size_t i = 0; i < count_; ++i)
    words += static_cast<std::size_t>(threads_[i]->thread->notes.next - threads_[i]->memory.get());
  return words;
}

}  // namespace msci::engine
