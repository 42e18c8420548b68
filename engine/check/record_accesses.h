// Records the accesses of the lanes of a simdgroup in shadow memory, and reports races and reads of
// memory that was never written.
#pragma once

#include "engine/check/record_batches.h"

namespace msci::engine {

// `object` is the number of the object that all lanes access.
void record_reads(const SimdgroupChecks& checks, const CheckedSite& site,
                  const LaneAccesses& accesses, std::uint32_t object);

// All lanes read one place. The shadow keeps two reads, so two lanes stand for all.
void record_shared_read(const SimdgroupChecks& checks, const CheckedSite& site, Word offset,
                        std::uint32_t lanes, std::uint32_t object);

// `same`: the lanes that store what memory holds, or whose exchange failed. `values`: a number for
// each lane by which its value is told from those of other lanes; null if unknown.
void record_writes(const SimdgroupChecks& checks, const CheckedSite& site,
                   const LaneAccesses& accesses, std::uint32_t object, std::uint32_t same,
                   const Word* values);

// The same for accesses that lie side by side, to different bytes.
void record_reads(const SimdgroupChecks& checks, const CheckedSite& site, const LaneRow& accesses,
                  std::uint32_t object);
void record_writes(const SimdgroupChecks& checks, const CheckedSite& site, const LaneRow& accesses,
                   std::uint32_t object, std::uint32_t same);

}  // namespace msci::engine
