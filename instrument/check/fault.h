// The faults that the checked mode finds while a kernel runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// The position of a thread in its threadgroup or in the grid, or of a threadgroup in the grid, from
// 0.
struct ThreadPosition {
  unsigned x = 0;
  unsigned y = 0;
  unsigned z = 0;
  bool operator==(const ThreadPosition&) const = default;
};

// How a thread accesses memory, or calls what is not a function: an entry of a table, a pointer.
enum class AccessKind { read, write, atomic, call_entry, call_pointer };

// One thread at one source location.
struct Doing {
  unsigned place = 0;  // index into Translation::places; 0 means none
  AccessKind access = AccessKind::read;
  ThreadPosition thread;       // in its threadgroup
  ThreadPosition threadgroup;  // in the grid
  bool operator==(const Doing&) const = default;
};

// A fault of a kernel. Only the first fault of each kind and place is kept.
struct Fault {
  // The log has these numbers (check_memory.h).
  enum class Kind {
    out_of_bounds,
    misaligned,
    uninitialised,
    race,
    barrier_divergence,  // `other` waits at another barrier, or has returned (place 0)
    inactive_lane,
    index_overflow,
    assertion_failed,
    // What Metal leaves undefined, or what surprises; the kernel may yet be right.
    division_by_zero,
    shift_out_of_range,
    signed_overflow,
    conversion_out_of_range,
    not_finite,
    last = not_finite,
  };
  Kind kind = Kind::out_of_bounds;
  std::string kernel;
  Doing doing;
  std::optional<Doing> other;  // the conflicting access, or the thread that is elsewhere
  std::string object;          // the buffer or array; empty if the fault concerns none
  std::int64_t offset = 0;     // in bytes from the object's beginning
  std::size_t bytes = 0;       // of the object
  bool operator==(const Fault&) const = default;
};

// Stores that would race with another access, but that leave what they store to as it is: several
// threads may store the same value.
struct LetGo {
  std::size_t stores = 0;
  unsigned place = 0;  // of the first one, as Doing::place
  bool operator==(const LetGo&) const = default;
};

// "out_of_bounds": part of the rule ids of findings.
std::string_view to_string(Fault::Kind kind);

// Whether the fault concerns numbers and not memory, barriers or lanes. Of each such kind, only the
// first place is kept.
constexpr bool is_arithmetic(Fault::Kind kind) { return kind >= Fault::Kind::division_by_zero; }

}  // namespace msci
