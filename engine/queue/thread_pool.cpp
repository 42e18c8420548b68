#include <algorithm>
#include <chrono>

#include "engine/queue/cpu_queue.h"

namespace msci::engine {

namespace {

// Launches follow each other within microseconds; waking a sleeping thread takes longer.
constexpr std::chrono::microseconds patience(50);

template <typename Condition>
bool spin_until(Condition holds) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!holds()) {
    for (int i = 0; i < 64; ++i) {
      if (holds()) return true;
#ifdef __x86_64__
      __builtin_ia32_pause();
#elif defined(__aarch64__)
      asm volatile("yield");
#endif
    }
    if (std::chrono::steady_clock::now() >= end) return holds();
  }
  return true;
}

}  // namespace

ThreadPool::ThreadPool(unsigned count) : work_arrived_(count > 0 ? count - 1 : 0) {
  for (unsigned i = 1; i < count; ++i) threads_.emplace_back([this, i] { serve(i); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  for (auto& arrived : work_arrived_) arrived.notify_one();
  for (auto& thread : threads_) thread.join();
}

// A thread that has not begun when the work is done has nothing left to do, so the call does not
// wait for it: on a busy processor it may take long to wake up.
void ThreadPool::run(unsigned threads, const std::function<void(unsigned)>& work) {
  if (threads <= 1 || threads_.empty()) {
    work(0);
    return;
  }
  threads = std::min(threads, size());
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    wanted_ = threads;
    ++turn_;
  }
  for (unsigned i = 0; i + 1 < threads; ++i) work_arrived_[i].notify_one();
  work(0);
  {
    const std::lock_guard lock(mutex_);
    work_ = nullptr;
  }
  while (!spin_until([&] { return working_ == 0; })) std::this_thread::yield();
}

void ThreadPool::serve(unsigned thread) {
  unsigned seen = 0;
  const auto is_wanted = [&] { return (turn_ != seen && thread < wanted_) || ends_; };
  while (true) {
    if (!spin_until(is_wanted)) {
      std::unique_lock lock(mutex_);
      work_arrived_[thread - 1].wait(lock, is_wanted);
    }
    if (ends_) return;
    const std::function<void(unsigned)>* work = nullptr;
    {
      const std::lock_guard lock(mutex_);
      seen = turn_;
      if (thread < wanted_) work = work_;
      if (work) ++working_;
    }
    if (!work) continue;
    (*work)(thread);
    --working_;
  }
}

}  // namespace msci::engine
