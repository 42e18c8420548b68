// The references of a task, from the cache where it has them.
#pragma once

#include "base/files/cache.h"
#include "evaluator/plan/task.h"

namespace msci {

// The reference of that size; empty for a task without one.
Bytes reference_of(const Task& task, const Size& size, Cache& cache);

}  // namespace msci
