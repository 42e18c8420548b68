// How loops count, and whether barriers that only some rounds of a loop meet still part one round
// from the next.
#pragma once

#include <optional>
#include <set>

#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/indices/index_form.h"

namespace msci {

// `for (k = start; …; k += step)`.
struct LoopCounter {
  IndexForm itself;
  IndexForm start;
  IndexForm step;
};
// Nothing where the loop does not declare the counter, or changes it in another way.
std::optional<LoopCounter> counter_of(const clang::ForStmt& loop, const ThreadFlow& flow);

// Whether control can come from one statement to the other without passing one of the fences. More
// than ThreadFlow::reaches it knows that `if (k > 0) threadgroup_barrier(…)` at the head of a loop
// leaves out the first round alone, and `if (k + 1 < n)` at its end the last one: each round but
// the first follows a fence.
bool reaches_unfenced(const clang::Stmt* from, const clang::Stmt* to, const ThreadFlow& flow,
                      const std::set<const clang::Stmt*>& fences);

}  // namespace msci
