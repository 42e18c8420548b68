// Notes the accesses of a simdgroup's lanes (AccessNotes).
#pragma once

#include "engine/check/record_batches.h"

namespace msci::engine {

// Nothing where one thread of the processor runs the launch. What a threadgroup has written before
// in the launch need not be noted again.
void note_lanes(const SimdgroupChecks& checks, const RecordedObject& to, const Word* offsets,
                std::uint32_t lanes);
// Notes accesses of lanes whose elements lie side by side.
void note_row(const SimdgroupChecks& checks, const RecordedObject& to, const LaneRow& row);

}  // namespace msci::engine
