// Records accesses of many lanes at once in the shadow of an object without atomic accesses.
#pragma once

#include "engine/check/shadow_memory.h"

namespace msci::engine {

// The accesses of lanes at one site.
struct LaneAccesses {
  const Word* offsets;
  std::uint32_t lanes;
  std::uint32_t followers;  // lanes whose access begins where that of the lane before ends
  std::uint32_t ahead;      // lanes whose access begins there or farther on
};

// The same where the accesses lie side by side: that of lane `first` at `offset`.
struct LaneRow {
  Word offset;
  std::uint32_t lanes;  // at least one
  std::uint32_t first;
};

// An object and its shadow, and how the lanes of a simdgroup access it.
struct RecordedObject {
  const Object& object;
  const Shadow shadow;
  const CheckedSite& site;
  const Word* entries;  // of each lane
  Word added;           // to the entry of each lane
  Rules rules;
  HappensBefore* order;  // that fences have made; null if there is none
};

// The lanes whose granules are granules of the object. The others were out of bounds.
std::uint32_t find_inside(const Object& object, const Word* offsets);

// Reads that were recorded.
struct RecordedReads {
  std::uint32_t rest = 0;  // lanes that are not recorded: they have faults, or fit into no batch
  bool are_own = false;    // certainly all read what their threadgroup wrote in this launch
};
RecordedReads record_read_batches(const RecordedObject& to, const LaneAccesses& accesses);

// Records the reads of a row, all or none. Returns whether it did.
bool record_row_of_reads(const RecordedObject& to, const LaneRow& accesses);

// Writes that were recorded.
struct RecordedWrites {
  std::uint32_t rest = 0;    // lanes that are not recorded, for the same reasons
  std::uint32_t benign = 0;  // writes that would race if they changed memory
  bool are_own = false;      // certainly all write where their threadgroup wrote before
};

// Records plain writes. `same`: the lanes that store what memory holds.
RecordedWrites record_write_batches(const RecordedObject& to, const LaneAccesses& accesses,
                                    std::uint32_t same);
// Records the plain writes of a row, all or none, and sets `benign`. Returns whether it did.
bool record_row_of_writes(const RecordedObject& to, const LaneRow& accesses, std::uint32_t same,
                          std::uint32_t& benign);

}  // namespace msci::engine
