// What a host does with kernels, read from its source. All are plain values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"

namespace msci {

// A host asks a library for a kernel.
struct HostFetch {
  std::string kernel;
  Range range;
  bool operator==(const HostFetch&) const = default;
};

// A member of a struct, as the host lays it out.
struct HostMember {
  std::string name;
  std::size_t offset = 0;
  std::size_t bytes = 0;
  bool operator==(const HostMember&) const = default;
};

// What was set at one index when a kernel was dispatched.
struct HostBinding {
  unsigned index = 0;
  std::optional<std::size_t> bytes;  // the size of a value that is not a buffer, if it is known
  std::string type;  // of the value, or of a buffer's element, as C++ spells it; "" if unknown
  bool is_buffer = false;
  std::size_t memory = 0;  // the number of the buffer from its first byte on; 0 if it is unknown
  Range range;
  std::vector<HostMember> members;  // of a value that is a struct of known layout; else empty
  bool operator==(const HostBinding&) const = default;
};

// A host dispatches a kernel.
struct HostDispatch {
  std::string kernel;
  Range range;
  std::vector<HostBinding> bindings;  // by index; several for one index if paths differ
  bool bindings_known = false;        // false: there may be further bindings
  // Dispatches of one number may run at the same time: they belong to one concurrent encoder, and
  // no barrier lies between them. 0: they are ordered, or not known to be concurrent.
  std::size_t overlapping = 0;
  std::optional<std::size_t> threads;  // of a threadgroup, if the number is known
  bool operator==(const HostDispatch&) const = default;
};

// An argument of a kernel that a host dispatched.
struct BoundArgument {
  std::string kernel;
  unsigned index = 0;
  auto operator<=>(const BoundArgument&) const = default;
};

// Bulk arithmetic on data in memory that the host computes on the CPU, and where its result goes.
struct CpuWork {
  Range range;
  std::string call;                     // "vDSP_vadd", "std::transform", "a loop"
  std::string target;                   // the variable that holds the result, if it has a name
  std::vector<BoundArgument> lands_in;  // earlier bindings of the memory that it writes
  std::vector<BoundArgument> reads;     // earlier bindings of the memory that it reads
  bool remains = false;     // no kernel uses the memory afterwards: the user gets this result
  bool in_buffer = false;   // the memory is a GPU buffer
  bool handed_out = false;  // the memory belongs to a caller of the host, or is returned to one
  bool read_back = false;   // the memory held the result of a kernel
  bool operator==(const CpuWork&) const = default;
};

// One host, of one or several files. It is interpreted from main(); without a main(), from every
// function that the host itself does not call. Branches that are never taken are left out.
struct Host {
  std::vector<Source> files;  // all ranges count lines through them, in this order
  std::vector<HostFetch> fetched;
  bool names_known = true;  // false: the host may fetch kernels whose names are unknown
  std::vector<HostDispatch> dispatched;
  bool dispatches_known = true;        // false: the host may dispatch further kernels
  std::vector<std::string> mentioned;  // strings that unknown functions were called with
  std::size_t libraries = 0;           // places that make a library of kernels
  std::vector<CpuWork> cpu_work;
  std::string failure;  // why the host could not be read: "it takes more than 5 s …"; else ""

  // The file that a range lies in, and the range in the lines of that file. Needs a file.
  std::pair<const Source*, Range> place(const Range& range) const;
  bool operator==(const Host&) const = default;
};

// Reads C++, Objective-C++, Python, Rust and Swift, by the extensions of the files. Reads no other
// file and never fails: if the host cannot be understood, the members *_known say so, without CPU
// work. Needs at least one file.
Host read_host(std::vector<Source> files);

}  // namespace msci
