// What the checked mode finds while a kernel runs: who did what, where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// Of a thread in its threadgroup, or of a threadgroup in the grid; counted from 0.
struct Position {
  unsigned x = 0;
  unsigned y = 0;
  unsigned z = 0;
  bool operator==(const Position&) const = default;
};

// How a thread touches memory.
enum class Access { read, write, atomic };

// One thread at one place of the source.
struct Doing {
  unsigned place = 0;  // into Translation::places; 0 is nowhere
  Access access = Access::read;
  Position thread;       // in its threadgroup
  Position threadgroup;  // in the grid
  bool operator==(const Doing&) const = default;
};

// A fault of a kernel, seen once or many times; the first time is kept for each kind and place.
struct Fault {
  // The numbers are the text's (translate/check/runtime.cpp).
  enum class Kind {
    out_of_bounds,
    misaligned,
    uninitialised,
    race,
    barrier_divergence,  // `other` is at another barrier, or has returned (place 0)
    inactive_lane,
    index_overflow,
  };
  Kind kind = Kind::out_of_bounds;
  std::string kernel;
  Doing doing;
  std::optional<Doing> other;  // the access it conflicts with, or the thread that is elsewhere
  std::string object;          // the buffer or array; empty where none is meant
  std::int64_t offset = 0;     // in bytes from the object's beginning
  std::size_t bytes = 0;       // that the object has
  bool operator==(const Fault&) const = default;
};

// "out_of_bounds": rule ids of findings are made of it.
std::string_view to_string(Fault::Kind kind);

}  // namespace msci
