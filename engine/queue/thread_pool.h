// Threads of the processor that share work, and the thread that gives it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace msci::engine {

class ThreadPool {
 public:
  // `count` threads in all, the caller's among them.
  explicit ThreadPool(unsigned count);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }
  // Calls `work` on at most that many threads, with their numbers, on the caller's for certain, and
  // waits for all calls. The work is done when one of them returns.
  void run(unsigned threads, const std::function<void(unsigned thread)>& work);

 private:
  void serve(unsigned thread);

  std::mutex mutex_;
  // Of each thread but the caller's: only threads that get work wake up.
  std::vector<std::condition_variable> work_arrived_;
  const std::function<void(unsigned)>* work_ = nullptr;  // null if nothing is left to do
  std::atomic<unsigned> wanted_ = 0;
  std::atomic<unsigned> turn_ = 0;     // of the work that was given last
  std::atomic<unsigned> working_ = 0;  // threads beside the caller's
  std::atomic<bool> ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace msci::engine
