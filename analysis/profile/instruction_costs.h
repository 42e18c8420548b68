// What instructions cost on an Apple GPU.
#pragma once

#include "tasks/plan/kernel_code.h"

namespace msci {

// Cycles that a scheduler of a core is busy with one instruction of a simdgroup. Memory
// instructions: issuing them.
double throughput_of(WorkKind work);

// Cycles until an instruction that needs the result can start, where a scheduler has only one
// simdgroup. Memory instructions: without the memory's own latency.
double latency_of(WorkKind work);

}  // namespace msci
