// Whether two indices of one dimension meet: whether different threads of a threadgroup surely use
// one element.
#pragma once

#include "lint/analysis/bounds.h"
#include "lint/analysis/indices/index_form.h"
#include "lint/analysis/sharing.h"

namespace msci {

// Neighbours further apart may belong to another part of an array that threads share out among
// them (`a[t]`, `a[t + 256]`).
constexpr std::int64_t farthest_neighbour = 4;

enum class IndexRelation {
  same,  // one index, of one thread
  met,   // one element, in different threads
  unknown,
};
IndexRelation relation_of(const IndexForm& first, const IndexForm& second,
                          const Threads& first_threads, const Threads& second_threads,
                          const ThreadFlow& flow);

// Whether every bound leaves many threads on its side.
bool many_take_part(const Threads& threads);
// Whether a bound leaves one thread of a group, a simdgroup or a row.
bool pins_any(const Threads& threads);

// Whether a bound leaves one thread of the whole group, rather than one of each simdgroup or row.
bool pins_group(const ThreadBound& bound);

// Whether what varies among threads is one position, once: `t`, not `2 * t` or `x + y`.
bool is_plain_position(const IndexForm& varying);
Atom only_atom(const IndexForm& form);
// Whether it is a component of the position in the threadgroup: `position.x`.
bool is_component(const Atom& atom);

// Whether the access is in the loop that shares an array out among the threads:
// `for (k = thread; …; k += threads) a[k] = …`.
bool shares_out(const IndexForm& index, const SharedAccess& access, const ThreadFlow& flow);

}  // namespace msci
