// The shadow of an object, and the rules for its entries. The rules have no branches, so that loops
// over them become vectors.
#pragma once

#include "analysis/check/check_layout.h"
#include "engine/check/checked_simdgroup.h"
#include "engine/check/lane_loops.h"

namespace msci::engine {

using Word = std::uint64_t;

// An object in the table of the launch (ObjectTable).
struct Object {
  Word first;  // byte in its allocation
  Word bytes;
  Word shadow;  // its first word there
  Word layout;
  Word granule() const { return ObjectTable::granule_log2.of(layout); }
  bool has_reads() const {
    return ObjectTable::entries_per_granule.of(layout) > ShadowEntry::of_written_object;
  }
  bool has_atomics() const {
    return ObjectTable::entries_per_granule.of(layout) > ShadowEntry::of_plain_object;
  }
  Word begin() const {
    return first - ObjectTable::bytes_before.of(layout);
  }  // of the whole buffer
  // The granules are numbered from the beginning of the whole buffer.
  Word granules() const {
    return (ObjectTable::bytes_before.of(layout) + bytes + (Word{1} << granule()) - 1) >> granule();
  }
  Word granule_at(Word offset) const { return (offset - begin()) >> granule(); }
};
static_assert(sizeof(Object) == ObjectTable::words_per_object * sizeof(Word));

inline const Object& object_of(const SimdgroupChecks& checks, std::uint32_t number) {
  return reinterpret_cast<const Object*>(checks.objects + ObjectTable::header_words)[number];
}

// The shadow of an object, by granule: the last write, then two reads if there are any. An object
// with atomic accesses has two more entries for them, because a plain access must not be replaced
// by an atomic one, which conflicts with fewer others.
struct Shadow {
  Word* written;
  Word* read = nullptr;  // null if no launch that writes the object reads it
  Word* second_read = nullptr;
  Word* atomic = nullptr;  // null if there is none
  Word* second_atomic = nullptr;

  Shadow(const SimdgroupChecks& checks, const CheckedSite& site, const Object& object)
      : written(checks.shadows[site.is_threadgroup] + object.shadow) {
    if (!object.has_reads()) return;
    read = written + object.granules();
    second_read = read + object.granules();
    if (!object.has_atomics()) return;
    atomic = second_read + object.granules();
    second_atomic = atomic + object.granules();
  }
};

// What the rules need to know of the simdgroup and of the memory.
struct Rules {
  unsigned index_bits;   // of a thread's index in its threadgroup
  bool must_be_written;  // threadgroup memory has no contents at first
};

// Whether no barrier orders two accesses. They belong to one launch and to two threads, and
//   - the threads are in different threadgroups, or
//   - no barrier of their threadgroup lies between the accesses, and the threads are in different
//     simdgroups or no barrier of their simdgroup lies between them either.
// False, too, where so many barriers were passed that they are no longer counted.
MSCI_PART_OF_CALLER bool happen_concurrently(Word a, Word b, unsigned index_bits) {
  const auto change = a ^ b;
  const auto same_count = [&](BitField barriers) {
    const auto many = barriers.mask();
    return ((change & many) == 0) & ((a & many) != many);
  };
  const bool same_launch = change >> ShadowEntry::launch.at == 0;
  const bool other_thread = change >> ShadowEntry::thread.at != 0;
  const bool other_threadgroup = change >> ShadowEntry::thread.at >> index_bits != 0;
  const bool other_simdgroup = change >> (ShadowEntry::lane.at + ShadowEntry::lane.bits) != 0;
  const bool no_barrier = same_count(ShadowEntry::barriers);
  const bool no_simdgroup_barrier = same_count(ShadowEntry::simdgroup_barriers);
  return same_launch & other_thread &
         (other_threadgroup | (no_barrier & (other_simdgroup | no_simdgroup_barrier)));
}

// Whether two accesses race, if one of them writes and no fence orders them.
MSCI_PART_OF_CALLER bool conflict(Word before, Word now, unsigned index_bits) {
  const bool are_atomic = (before & now & ShadowEntry::atomic.mask()) != 0;
  return happen_concurrently(before, now, index_bits) & !are_atomic;
}

// A quick test: whether an older entry certainly races with no new access, because it is of another
// launch, of no thread, or of the same thread.
MSCI_PART_OF_CALLER bool is_ordered(Word before, Word now) {
  constexpr auto one_thread = ShadowEntry::thread.one();
  return (before ^ now) - one_thread >= ShadowEntry::launch.one() - one_thread;
}

// Of several concurrent reads, two stay recorded. The second comes from another simdgroup than the
// first if there is such a read, preferably from another threadgroup. A later write is then
// unordered with one of the two if it is unordered with any. Whether `now` is the better second.
MSCI_PART_OF_CALLER bool is_farther(Word first, Word second, Word now) {
  constexpr auto simdgroup_at = ShadowEntry::lane.at + ShadowEntry::lane.bits;
  return (first ^ now) >> simdgroup_at > (first ^ second) >> simdgroup_at;
}

// A read of a granule: whether it is a fault, and which of the two recorded reads it replaces.
MSCI_PART_OF_CALLER bool is_bad_read(Word written, Word now, Rules rules) {
  const bool changed = (written & ShadowEntry::unchanged.mask()) == 0;
  const bool races = conflict(written, now, rules.index_bits) & changed;
  return races | (rules.must_be_written & (written == 0));
}
MSCI_PART_OF_CALLER bool replaces_first(Word read, Word now, unsigned index_bits) {
  return !happen_concurrently(read, now, index_bits);
}
MSCI_PART_OF_CALLER bool replaces_second(Word read, Word second_read, Word now,
                                         unsigned index_bits) {
  const bool is_better = is_farther(read, second_read, now);
  return !happen_concurrently(second_read, now, index_bits) | is_better;
}

// Whether a read is of the launch of `now`. Only then may the second one be, too.
MSCI_PART_OF_CALLER bool is_of_launch(Word read, Word now) {
  return (read ^ now) >> ShadowEntry::launch.at == 0;
}

// Whether a write of the granule races with what is recorded there.
MSCI_PART_OF_CALLER bool races_with_any(Word written, Word read, Word second_read, Word now,
                                        unsigned index_bits) {
  const bool with_write = conflict(written, now, index_bits);
  const bool with_read = conflict(read, now, index_bits);
  const bool with_second_read = conflict(second_read, now, index_bits);
  return with_write | with_read | with_second_read;
}

// The entry after a write that stores what the granule holds. Only threads that write something
// else can notice it. It replaces the entry of a thread that wrote the same value before: both may
// then read it.
MSCI_PART_OF_CALLER Word after_same_write(Word written, Word now, unsigned index_bits) {
  const bool changed = (written & ShadowEntry::unchanged.mask()) == 0;
  const bool is_fresh = written >> ShadowEntry::launch.at != now >> ShadowEntry::launch.at;
  const bool replaces = changed & happen_concurrently(written, now, index_bits);
  const bool marks = is_fresh | !changed |
                     (written >> ShadowEntry::barriers.at != now >> ShadowEntry::barriers.at);
  return replaces ? now : marks ? now | ShadowEntry::unchanged.mask() : written;
}

// The entry of a thread behind one more barrier.
inline Word counted(Word entry, BitField barriers) {
  return barriers.of(entry) == barriers.most() ? entry : entry + barriers.one();
}

// The part of an entry that all accesses at a site share.
inline Word entry_bits_of(const CheckedSite& site) {
  return ShadowEntry::location.set(site.location_id) |
         (is_atomic(site.kind) ? ShadowEntry::atomic.mask() : 0);
}

}  // namespace msci::engine
