// Checked launches that several threads of the processor run at once. If no threadgroups met, the
// findings are those of one thread: none. Otherwise chance has a part in them, and the run must be
// repeated on one thread (access_notes.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/check/checked_simdgroup.h"
#include "engine/queue/thread_pool.h"

namespace msci::engine {

class SpreadChecks {
 public:
  // Of a launch that these threads will run. `log`: that of the run (CheckLog).
  void begin(const std::vector<CheckedThread*>& threads, const std::uint64_t* log);
  // Behind it: whether one thread would have found the same. `index_bits`: of a thread's index in
  // its threadgroup.
  bool is_certain(ThreadPool& pool, unsigned index_bits);

 private:
  struct OfThread {
    std::unique_ptr<std::uint64_t[]> memory;
    CheckedThread* thread = nullptr;
    std::atomic_flag is_taken = ATOMIC_FLAG_INIT;  // by a thread that compares its notes
  };
  std::size_t noted_words() const;

  std::vector<std::unique_ptr<OfThread>> threads_;
  std::size_t count_ = 0;  // of threads in this launch
  const std::uint64_t* log_ = nullptr;
  std::uint64_t faults_before_ = 0;
  std::uint64_t messages_before_ = 0;
  std::uint64_t benign_races_before_ = 0;
};

}  // namespace msci::engine
