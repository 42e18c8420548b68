// The functions that the generated code of checked kernels calls.
#pragma once

#include <cstdint>

#include "compiler/instrument.h"
#include "engine/check/checked_simdgroup.h"
#include "engine/check/record_batches.h"

namespace msci::engine {

// Their names in generated code, and their addresses.
RuntimeFunctions check_functions();

// ---- barriers (checked_barriers.cpp)

// At a barrier of the threadgroup: waits for the other simdgroups, and counts the barrier for the
// memories that `flags` names. `barrier` distinguishes barriers of one location.
void wait_at_barrier(SimdgroupChecks* checks, std::uint32_t flags, std::uint32_t location_id,
                     std::uint32_t barrier, std::uint32_t lanes);

// At a barrier of the simdgroup: orders its lanes' accesses to the memories of `flags`.
void pass_simdgroup_barrier(SimdgroupChecks* checks, std::uint32_t flags, std::uint32_t location_id,
                            std::uint32_t lanes);

// When the simdgroup has ended: reports a barrier that some lanes did not reach.
void end_barriers(SimdgroupChecks* checks);

// ---- notes for launches that several threads of the processor run (AccessNotes;
// note_accesses.cpp)

// Notes which places of device memory the lanes access. Does nothing in a launch that one thread
// runs. Callers may leave out what the threadgroup itself has written before in the launch.
void note_lanes(const SimdgroupChecks& checks, const RecordedObject& to, const Word* offsets,
                std::uint32_t lanes);
// The same for lanes whose elements lie side by side.
void note_row(const SimdgroupChecks& checks, const RecordedObject& to, const LaneRow& row);

// ---- records in shadow memory (record_accesses.cpp)
//
// These functions record the accesses of a simdgroup's lanes, and report races and reads of memory
// that was never written. All accesses lie inside the object of that number.

void record_reads(const SimdgroupChecks& checks, const CheckedSite& site,
                  const LaneAccesses& accesses, std::uint32_t object);

// All lanes read one place. The shadow keeps two reads, so two lanes stand for all.
void record_shared_read(const SimdgroupChecks& checks, const CheckedSite& site, Word offset,
                        std::uint32_t lanes, std::uint32_t object);

// The lanes of a read that no write came before.
std::uint32_t find_unwritten(const SimdgroupChecks& checks, const CheckedSite& site,
                             const Word* offsets, std::uint32_t lanes, std::uint32_t object);

// `same`: the lanes that store what memory holds, or whose exchange failed. `values`: for each lane
// a number that is equal where lanes store equal values; null if unknown.
void record_writes(const SimdgroupChecks& checks, const CheckedSite& site,
                   const LaneAccesses& accesses, std::uint32_t object, std::uint32_t same,
                   const Word* values);

// The same for accesses that lie side by side, to different bytes.
void record_reads(const SimdgroupChecks& checks, const CheckedSite& site, const LaneRow& accesses,
                  std::uint32_t object);
void record_writes(const SimdgroupChecks& checks, const CheckedSite& site, const LaneRow& accesses,
                   std::uint32_t object, std::uint32_t same);

}  // namespace msci::engine
