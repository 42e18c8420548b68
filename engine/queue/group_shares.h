// The threadgroups of a launch, shared among threads of the processor. Each begins with a part of
// its own, the same in every launch of as many threadgroups and threads, since what it wrote may
// still be in the caches of its core. Then it takes what is left of the others' parts.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "engine/profile/sampling.h"

namespace msci::engine {

class GroupShares {
 public:
  // Of `groups` threadgroups, among threads 0, ..., threads - 1.
  GroupShares(std::size_t groups, unsigned threads);

  // The next few threadgroups for that thread; an empty range if none is left.
  GroupRange take(unsigned thread);
  // From now on, none is left.
  void drop_rest();

 private:
  // On a cache line of its own.
  struct alignas(64) Share {
    std::atomic<std::size_t> next = 0;
    std::size_t end = 0;
  };
  std::vector<Share> shares_;
  std::size_t step_;
};

}  // namespace msci::engine
