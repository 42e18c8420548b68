// The references of a task, from the cache where it has them.
#pragma once

#include <cstdint>

#include "base/files/cache.h"
#include "tasks/plan/task.h"

namespace msci {

// The reference of that size; empty for a task without one.
Bytes reference_of(const Task& task, const Size& size, Cache& cache);

// Removes the references that were used least recently where all of them, with those of plans' own
// commands, have more bytes. Leaves a quarter of the room free.
void trim_references(Cache& cache, std::uintmax_t most_bytes);

}  // namespace msci
