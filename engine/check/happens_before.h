// The order that fences make between threads: what a thread did before a release fence happens
// before what another one does after an acquire fence, if an atomic read of the second, before its
// fence, came to an atomic write of the first, after its fence (C++, [atomics.fences] and
// [intro.races]). An ordered atomic operation is a relaxed one with such fences around it.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "analysis/check/check_layout.h"

namespace msci::engine {

// Accesses of many threads, each up to some time: a vector clock. The time of a thread is what its
// shadow entries count, its barriers.
class Clock {
 public:
  // Adds the accesses of a thread up to the time of its entry, and those that the barriers of its
  // threadgroup have ordered before it. `index_bits`: of a thread's index in its threadgroup.
  void add(std::uint64_t entry, unsigned index_bits);
  void add(const Clock& more);
  bool has(std::uint64_t entry, unsigned index_bits) const;
  std::size_t size() const { return threads_.size() + groups_.size(); }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> threads_;  // the last time of a thread
  std::unordered_map<std::uint64_t, std::uint64_t> groups_;   // the last barrier of a threadgroup
};

// How a thread, one lane, is described: its shadow entries, of device and of threadgroup memory.
struct ThreadEntries {
  std::uint64_t of[2];
};

// A place in memory that is accessed atomically.
struct AtomicPlace {
  const std::uint64_t* shadow = nullptr;  // of its granule
  std::uint64_t threadgroup = 0;          // whose memory it is; 0 for device memory
  auto operator<=>(const AtomicPlace&) const = default;
};

// Of the launches that may overlap. Threads run one after another, on one thread of the processor.
class HappensBefore {
 public:
  // Forgets the launches before. `launch` is the number in their entries.
  void begin(std::uint64_t launch, unsigned index_bits);
  // Whether some thread has come to a fence: nothing is ordered before that.
  bool has_fences() const { return has_fences_; }

  // A fence of a thread. `spaces`: the memories that it orders, as the bits of mem_flags; `order`
  // as in memory_order. Returns whether it releases: later accesses then need a later time.
  bool fence(const ThreadEntries& thread, std::uint32_t spaces, std::uint32_t order,
             bool is_of_group);
  // An atomic access: `writes` without `reads` is a store.
  void access(const AtomicPlace& place, std::uint64_t entry, bool reads, bool writes);
  // Whether fences order the earlier access before the later one. True, too, where nothing is known
  // any more, because there are too many threads or barriers.
  bool orders(std::uint64_t before, std::uint64_t now, bool is_threadgroup) const;

 private:
  // What was released or acquired, of each memory, and whether only for one threadgroup.
  struct Clocks {
    Clock of[2];
    std::size_t size() const { return of[0].size() + of[1].size(); }
  };
  struct Publication {
    std::uint64_t group = 0;
    bool is_of_group = false;  // threads of other threadgroups do not see it
    Clocks clocks;
  };
  struct ThreadState {
    Clocks acquired;
    Clocks observed[2];  // and not yet acquired: from other threadgroups, from its own
    bool has_released = false;
    bool releases_to_group = false;
    Clocks released;  // by its last release fence
  };
  // What threads of a threadgroup have acquired before a barrier, all others have behind it.
  struct GroupAcquisition {
    std::uint64_t barriers = 0;
    Clock clock;  // with that of all acquisitions before
  };

  std::uint64_t group_of(std::uint64_t entry) const;
  const Clock* acquired_by_group(std::uint64_t now, bool is_threadgroup) const;
  void acquire(const ThreadEntries& thread, ThreadState& state, std::uint32_t spaces,
               bool is_of_group);
  void release(const ThreadEntries& thread, ThreadState& state, std::uint32_t spaces,
               bool is_of_group);
  void add(Clock& to, const Clock& more);
  void add(Clocks& to, const Clocks& more);

  std::uint64_t launch_ = 0;
  unsigned index_bits_ = 0;
  bool has_fences_ = false;
  std::size_t work_ = 0;  // entries of clocks that were added
  std::unordered_map<std::uint64_t, ThreadState> threads_;
  std::unordered_map<std::uint64_t, std::vector<GroupAcquisition>> groups_[2];
  std::map<AtomicPlace, std::vector<Publication>> places_;
};

}  // namespace msci::engine
