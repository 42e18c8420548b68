// The layout of the memory that checked kernels, the engine's run-time functions and the host
// share, in words of 64 bits. A checked kernel takes these parameters after all others:
//
//   log             the faults and messages of the run: CheckLog
//   shadow          device memory: a few entries for each granule of each buffer that a launch may
//                   write (ShadowEntry)
//   group shadow    threadgroup memory: the same for the threadgroup's arrays
//   objects         the sizes of the buffers and arrays: ObjectTable
//   launch          uint, 1 to 63: distinguishes the entries of this launch from those of earlier
//                   launches. Launches that may overlap have one number (check_memory.h)
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/check/check_record.h"
#include "analysis/check/fault.h"
#include "tasks/plan/program.h"

namespace msci {

// Adjacent bits of a word.
struct BitField {
  unsigned at = 0;
  unsigned bits = 0;

  constexpr std::uint64_t most() const { return (std::uint64_t{1} << bits) - 1; }
  constexpr std::uint64_t mask() const { return most() << at; }
  constexpr std::uint64_t one() const { return std::uint64_t{1} << at; }
  constexpr std::uint64_t of(std::uint64_t word) const { return word >> at & most(); }
  constexpr std::uint64_t set(std::uint64_t value) const { return value << at; }
};

// An entry of the shadow describes the last access of one thread to a granule of memory. 0 means
// that there was none. A granule has three entries: the last write and two reads, by threads of
// which one could be unordered with a later write. Where no launch both writes and reads the
// object, only the write is there. Where some access to the object is atomic, it has two more, for
// atomic accesses; the first then describes plain writes only.
struct ShadowEntry {
  // Of a write: it stored what the granule held before. Of an atomic access: it is a store, and the
  // first access to the granule in its launch.
  static constexpr BitField unchanged{0, 1};
  static constexpr BitField atomic{1, 1};
  static constexpr BitField location{2, 11};
  // Barriers that the thread has passed; those of the simdgroup since the last one of the
  // threadgroup. The largest count stands for that many or more, and orders any two accesses.
  static constexpr BitField simdgroup_barriers{13, 9};
  static constexpr BitField barriers{22, 12};
  // The number of the threadgroup, then the thread's index in it. The lane is in the lowest bits.
  static constexpr BitField thread{34, 24};
  static constexpr BitField lane{34, 5};
  static constexpr BitField launch{58, 6};

  // Entries of a granule.
  static constexpr unsigned of_written_object = 1;  // no launch that writes the object reads it
  static constexpr unsigned of_plain_object = 3;
  static constexpr unsigned of_atomic_object = 5;
};
static_assert(most_locations == ShadowEntry::location.most() + 1);

// The log: the number of faults; for each location the kinds of faults seen there, a bit each, and
// what became of values; the first faults; how many benign races there were, and from bit 32 on the
// location of the first; a byte for each location, which says whether some thread accessed memory
// or waited there; the number of messages, and the first messages.
struct CheckLog {
  static constexpr std::size_t seen_at = 1;
  static constexpr std::size_t faults_at = seen_at + most_locations / 2;
  static constexpr std::size_t most_faults = 256;
  // A fault: its first word, the entries of both accesses, the offset in the object, a one, and
  // of an infinite or NaN number one more than its operation, and the bits of three operands and of
  // the result.
  static constexpr std::size_t words_per_fault = 10;
  static constexpr std::size_t numbers_at = 5;
  static constexpr std::size_t benign_races_at = faults_at + most_faults * words_per_fault;
  static constexpr std::size_t coverage_at = benign_races_at + 1;
  static constexpr std::size_t messages_at = coverage_at + most_locations / 8;
  static constexpr std::size_t most_messages = 256;
  // A message: one more than the number of its debug call, and the dispatch; the entry of the
  // thread; the words that it shows.
  static constexpr std::size_t words_per_message = 2 + KernelMessage::most_words;
  static constexpr std::size_t words = messages_at + 1 + most_messages * words_per_message;

  // The first word of a fault.
  static constexpr BitField kind{0, 5};
  static constexpr BitField access{5, 3};
  static constexpr BitField other_wrote{8, 1};  // the conflicting access was a write
  static constexpr BitField object{9, 16};
  static constexpr BitField dispatch{25, 39};
  static constexpr std::uint64_t no_object = object.most();
  // The first word of a message has the dispatch in the same place.
  static constexpr BitField debug_call{0, 24};

  // Beside the kinds seen at a location, of reads of memory that was never written: the value is
  // followed, and something depends on it. A read whose value is followed in vain is not a fault.
  static constexpr std::uint32_t followed = 1U << 30;
  static constexpr std::uint32_t used = 1U << 31;
};
static_assert(fault_kinds <= CheckLog::kind.most() + 1,
              "the log keeps a fault's kind in so many bits");
static_assert(fault_kinds <= 30, "the log keeps the kinds that were seen in 30 bits");

// Where a followed value comes from is 0, or one more than a location: of a call that asked a lane
// that takes no part or, with the first bit, of a read of memory that was never written; with both,
// of private memory, whose read is not in the log.
constexpr std::uint32_t origin_unwritten = 1U << 31;
constexpr std::uint32_t origin_private = 1U << 30;
static_assert(static_cast<unsigned>(AccessKind::store_back) <= CheckLog::access.most());

// The table of objects: the kernel's arguments and arrays, then, if the kernel loads pointers, all
// buffers of the plan, and one of no bytes for pointers that lead to none of them.
struct ObjectTable {
  enum Header : std::size_t {
    group_shadow_words,
    dispatch,          // the number of this launch
    loadable_objects,  // the first object that loaded pointers lead to; from bit 32 on the last one
    addresses_at,      // the word at which the addresses of the objects' memories begin, if needed
    first_threadgroup,  // the number of the launch's first threadgroup among those of its set
    index_bits,         // of a thread's index in its threadgroup, in all launches of the set
    header_words,
  };
  enum Member : std::size_t {  // of an object
    first_byte,                // in its allocation
    bytes,
    shadow_at,  // the first word of the shadow of the whole buffer or array, or `untracked`
    layout,     // of its granules
    words_per_object,
  };
  static constexpr std::uint64_t untracked = ~std::uint64_t{0};  // this launch does not write it
  static constexpr BitField granule_log2{0, 8};
  static constexpr BitField entries_per_granule{8, 8};
  static constexpr BitField bytes_before{16, 48};  // of the buffer, before the bound offset
};

// Bytes behind threadgroup memory to which out-of-bounds accesses are redirected.
constexpr std::size_t redirect_bytes = 64;
// The shadow is cleared after so many launches, because it could not distinguish more.
constexpr std::size_t distinct_launches = 63;
static_assert(distinct_launches == ShadowEntry::launch.most());

}  // namespace msci
