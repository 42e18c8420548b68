// How far apart in memory the neighbouring threads of a simdgroup are.
#pragma once

#include <optional>

#include "lint/analysis/sharing.h"

namespace msci {

// An element's offset in its memory, in elements of the innermost dimension; nothing where the
// memory is not an array, or not all its dimensions are indexed.
std::optional<IndexForm> offset_form(const SharedAccess& access, const ThreadFlow& flow);

// Bytes of what one index of the innermost dimension steps by.
std::int64_t element_bytes(const SharedAccess& access, const ThreadFlow& flow);

// By how many elements a thread is behind its neighbour in the simdgroup. Nothing where that cannot
// be told: the offset has a part that differs among threads in an unknown way.
std::optional<IndexForm> lane_stride(const IndexForm& offset, const ThreadFlow& flow);

// The other thread position, or the loop's variable, by which the offset steps from one element to
// the next; nothing without one.
std::optional<Atom> consecutive_axis(const IndexForm& offset, const ThreadFlow& flow);

// Whether a condition around the access may leave it to few threads: an equality, or an upper bound
// that is a number.
bool is_for_few(const SharedAccess& access, const ThreadFlow& flow);

}  // namespace msci
