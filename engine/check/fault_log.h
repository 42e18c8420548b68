// Writes to the log of a checked run (CheckLog).
#pragma once

#include <cstdint>

#include "analysis/check/fault.h"
#include "engine/check/checked_simdgroup.h"
#include "engine/check/shadow_memory.h"

namespace msci::engine {

// A fault that is not about memory.
constexpr std::uint32_t no_object = static_cast<std::uint32_t>(CheckLog::no_object);

// The memory that a fault is about.
struct FaultyAccess {
  AccessKind kind = AccessKind::read;
  std::uint32_t object = no_object;
  Word offset = 0;
};

// Reports a fault at the location of `entry`, unless the same kind was reported there before.
// `other` is the entry of the conflicting access, or 0; `other_wrote` says whether that was a
// write.
void report(const SimdgroupChecks& checks, Fault::Kind kind, Word entry, const FaultyAccess& access,
            Word other = 0, bool other_wrote = false);
// The same of a number: `numbers` are those at CheckLog::numbers_at.
void report_number(const SimdgroupChecks& checks, Word entry, const FaultyAccess& access,
                   Word other, const Word (&numbers)[5]);

// Notes that the run has reached a location. All processors share the log: where one of them stores
// to it, the others wait, so only the first one does.
inline void cover(const SimdgroupChecks& checks, std::uint32_t location_id) {
  auto& reached = reinterpret_cast<unsigned char*>(checks.log + CheckLog::coverage_at)[location_id];
  if (!reached) reached = 1;
}

// Notes of a value that is read at a location, but was never written: CheckLog::followed or used.
void note_value(const SimdgroupChecks& checks, std::uint32_t location_id, std::uint32_t what);

// Counts stores that would race if they changed memory.
void count_benign_races(const SimdgroupChecks& checks, std::uint32_t location_id,
                        std::uint32_t stores);

// Keeps a message of each of these lanes, unless there are too many. Each of `count` words has one
// value for each lane.
void log_message(const SimdgroupChecks& checks, std::uint32_t call, std::uint32_t location_id,
                 const Word* words, std::uint32_t count, std::uint32_t lanes);

// The entry of a lane that does something at a location, or of a thread of its threadgroup.
inline Word entry_at(Word entry, std::uint32_t location_id) {
  return entry | ShadowEntry::location.set(location_id);
}
inline Word entry_of(const SimdgroupChecks& checks, std::uint32_t thread,
                     std::uint32_t location_id) {
  const auto own = checks.entries[0][0];
  const auto group = ShadowEntry::thread.of(own) & ~((Word{1} << checks.index_bits) - 1);
  return entry_at((own & ~ShadowEntry::thread.mask()) | ShadowEntry::thread.set(group | thread),
                  location_id);
}

}  // namespace msci::engine
