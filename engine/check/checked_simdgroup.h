// The memory that the generated code of checked kernels shares with the run-time functions of the
// checks. The functions record the accesses of a simdgroup's lanes at once in shadow memory, and
// report faults to the log (check_layout.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "analysis/check/check_layout.h"
#include "analysis/check/fault.h"

namespace msci::engine {

// Notes of what a thread of the processor accesses in a launch that several of them run. They share
// the shadow without waiting for each other, so two accesses at once may miss each other there.
// Behind the launch, the notes say whether threadgroups met at all: if not, one thread of the
// processor would have found the same.

// A note begins with an entry of the shadow (ShadowEntry) whose lowest 34 bits are others: 32 for
// lanes, and two for the form of the note. The address of the last write of the first lane's
// granule follows. Those of the other lanes lie behind it, and the memory of 8, 16 or 32 lanes
// exists. In a `distant` note, they lie as many words apart as a third word says. In a `scattered`
// note, the lowest 32 bits are a number, and as many addresses follow.
struct AccessNotes {
  static constexpr std::uint64_t scattered = std::uint64_t{1} << 32;
  static constexpr std::uint64_t distant = std::uint64_t{1} << 33;
  static constexpr std::size_t most_words = std::size_t{1} << 18;  // of one thread and launch
  static constexpr std::size_t spare_words = 256;                  // behind `end`, for one access

  std::uint64_t* next = nullptr;
  std::uint64_t* end = nullptr;  // null where nothing is noted

  // Whether some accesses were not noted.
  bool is_full() const { return end && next >= end; }
};

// Whether another threadgroup wrote, in the same launch, what one of the notes from `begin` on is
// about. `index_bits`: of a thread's index in its threadgroup.
bool are_contested(const AccessNotes& notes, const std::uint64_t* begin, unsigned index_bits);

// The order that fences make between threads: what a thread did before a release fence happens
// before what another one does after an acquire fence, if an atomic read of the second, before its
// fence, came to an atomic write of the first, after its fence (C++, [atomics.fences] and
// [intro.races]). An ordered atomic operation is a relaxed one with such fences around it.

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

constexpr unsigned lanes_per_simdgroup = 32;

// The constants of a checked access, in memory of the generated code.
struct CheckedSite {
  std::uint32_t bytes;
  std::uint32_t align;
  std::uint32_t location_id;
  AccessKind kind;
  std::uint32_t is_threadgroup;
};
static_assert(sizeof(CheckedSite) == 5 * sizeof(std::uint32_t));

// Where a thread of the processor is in checked code. It survives when a trap ends that code.
struct CheckedPosition {
  std::uint32_t loop = 0;       // location of the loop whose iteration began last; 0 for none
  std::uint32_t lanes = 0;      // the lanes in that loop
  std::uint32_t simdgroup = 0;  // in its threadgroup
  std::uint32_t group[3] = {};
};

// The last barrier of a simdgroup.
struct CheckedArrival {
  std::uint32_t round = 0;  // barriers that it has reached
  std::uint32_t location_id = 0;
  std::uint32_t barrier = 0;  // distinguishes barriers of one location
  std::uint32_t lanes = 0;
  std::uint32_t existing = 0;
  bool has_ended = false;
};

// What generated code keeps of a thread of the processor.
struct CheckedThread {
  CheckedPosition position;
  AccessNotes notes;
};
static_assert(offsetof(CheckedThread, position) == 0);

// What the simdgroups of a checked threadgroup share.
struct CheckedThreadgroup : CheckedThread {
  std::vector<CheckedArrival> arrivals;  // by simdgroup
  std::uint32_t compared_rounds = 0;     // of barriers
  HappensBefore order;                   // of the threadgroups before, too
};

// The state of one simdgroup's checks. Generated code reserves the memory.
struct SimdgroupChecks {
  std::uint64_t* log;
  std::uint64_t* shadows[2];  // of device and of threadgroup memory
  const std::uint64_t* objects;
  CheckedThreadgroup* group;
  std::uint32_t index_bits;  // of a thread's index in its threadgroup
  std::uint32_t simdgroup;
  std::uint32_t existing;  // lanes
  // A barrier that some lanes did not reach, unless a lane with a lower number reaches another.
  struct {
    std::uint32_t location_id;
    std::uint32_t lane;
    std::uint32_t missing;  // a lane
    bool is_open;
  } divergence;
  std::uint64_t entries[2][lanes_per_simdgroup];  // of each lane, for device and threadgroup memory
};

}  // namespace msci::engine
