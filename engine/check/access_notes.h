// Notes of what a thread of the processor accesses in a launch that several of them run. They share
// the shadow without waiting for each other, so two accesses at once may miss each other there.
// Behind the launch, the notes say whether threadgroups met at all: if not, one thread of the
// processor would have found the same.
#pragma once

#include <cstddef>
#include <cstdint>

namespace msci::engine {

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

}  // namespace msci::engine
