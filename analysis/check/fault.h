// The faults that the checked mode finds while a kernel runs. faults.def says what is known of each
// kind.
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

// How a thread accesses memory, or calls something that is not a function. Checked code and the log
// contain these numbers: bit 0 of a memory access says whether it writes without reading, bit 1
// whether it is atomic.
enum class AccessKind : unsigned {
  read = 0,
  write = 1,
  update = 2,        // reads and writes atomically, or only reads atomically
  atomic_write = 3,  // stores atomically
  call_entry = 4,    // calls an entry of a table of functions
  call_pointer = 5,  // calls through a pointer to a function
  add = 6,           // an update whose sum a later store would destroy
  store_back = 7,    // stores atomically what an earlier atomic load of the same place decided
};
constexpr bool is_atomic(AccessKind kind) {
  return kind == AccessKind::update || kind == AccessKind::atomic_write ||
         kind == AccessKind::add || kind == AccessKind::store_back;
}

// What one thread does at one source location.
struct Access {
  unsigned location_id = 0;  // index into Translation::places; 0 means that it is unknown
  AccessKind kind = AccessKind::read;
  ThreadPosition thread;       // in its threadgroup
  ThreadPosition threadgroup;  // in the grid
  bool operator==(const Access&) const = default;
};

// A fault of a kernel. A run keeps only the first fault of each kind and location.
struct Fault {
  // The log contains these numbers (check_layout.h).
  enum class Kind {
#define MSCI_FAULT_CASE(...)
#define MSCI_FAULT(kind, ...) kind,
#include "analysis/check/faults.def"
  };
  Kind kind = Kind::out_of_bounds;
  std::string kernel;
  Access access;
  // The access that races with it, or the thread that waits at another barrier. The location is 0
  // if that thread has returned.
  std::optional<Access> conflicting_access;
  std::string other_kernel;  // of the conflicting access, if another launch makes it
  std::string object;  // the buffer or array, or the assumption; empty if the fault concerns none
  std::int64_t offset = 0;  // in bytes from the object's beginning
  std::size_t bytes = 0;    // of the object
  // What else the message shows. Of unstored elements: how many were stored, all, the first that
  // was not, and for `unstored` the threads of the last launch and of its threadgroups. Of an
  // infinite or NaN number: one more than its operation's index in Translation::operations, and as
  // the bits of floats three operands and the number. Of an assumption: the index of the launch.
  std::vector<std::uint64_t> numbers;
  bool operator==(const Fault&) const = default;
};

// The number of kinds.
constexpr unsigned fault_kinds = 0
#define MSCI_FAULT_CASE(...)
#define MSCI_FAULT(...) +1
#include "analysis/check/faults.def"
    ;

// Stores that would race with another access if they changed memory. They are allowed, because
// several threads may store the same value.
struct BenignRaces {
  std::size_t stores = 0;
  unsigned location_id = 0;  // of the first one
  bool operator==(const BenignRaces&) const = default;
};

}  // namespace msci
