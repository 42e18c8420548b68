// What a host does with kernels, read from its source: plain values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lint/metal/source.h"

namespace msci {

// A host asks a library for a kernel.
struct HostFetch {
  std::string kernel;
  Range range;
  bool operator==(const HostFetch&) const = default;
};

// What was set at one index when a kernel was dispatched.
struct HostBinding {
  unsigned index = 0;
  std::optional<std::size_t> bytes;  // of a value that was set by itself, where its size is known
  std::string type;  // as C++ spells the value, or an element of the buffer; "" where unknown
  bool is_buffer = false;
  Range range;
  bool operator==(const HostBinding&) const = default;
};

// A host dispatches a kernel.
struct HostDispatch {
  std::string kernel;
  Range range;
  std::vector<HostBinding> bindings;  // by index; several of one index where paths differ
  bool bindings_known = false;        // false: more may be bound than we can tell
  bool operator==(const HostDispatch&) const = default;
};

// An argument of a kernel that a host dispatched.
struct BoundArgument {
  std::string kernel;
  unsigned index = 0;
  auto operator<=>(const BoundArgument&) const = default;
};

// Arithmetic on data in memory that the host's processor does itself, in bulk, and where it ends
// up.
struct CpuWork {
  Range range;
  std::string call;                     // "vDSP_vadd", "std::transform", "a loop"
  std::string target;                   // the variable it is written to, where it has a name
  std::vector<BoundArgument> lands_in;  // what the memory that it writes was bound to before
  std::vector<BoundArgument> reads;     // and what the memory that it reads was bound to before
  bool remains = false;     // no kernel took the memory afterwards: this is what the user gets
  bool in_buffer = false;   // the memory is the GPU's
  bool handed_out = false;  // a function that a caller of the host sees returns it, or was given it
  bool read_back = false;   // the memory held what a kernel had computed
  bool operator==(const CpuWork&) const = default;
};

// One host, of one or several files. It is followed from main(), or, where there is none, from
// every function that it does not call itself; branches that are never taken are not followed.
struct Host {
  std::vector<Source> files;  // all ranges count lines through them, in this order
  std::vector<HostFetch> fetched;
  bool names_known = true;  // false: kernels may be fetched whose names we cannot tell
  std::vector<HostDispatch> dispatched;
  bool dispatches_known = true;        // false: kernels may be dispatched beyond those
  std::vector<std::string> mentioned;  // texts that were handed to code we cannot see
  std::size_t libraries = 0;           // places where kernels come from
  std::vector<CpuWork> cpu_work;

  // The file that a range lies in, and the range in that file's own lines. There is a file.
  std::pair<const Source*, Range> place(const Range& range) const;
  bool operator==(const Host&) const = default;
};

// Reads no other file and never fails: where the host is beyond our understanding, the *_known
// say so, and no work of the processor's is noted. Needs a file at least.
Host read_host(std::vector<Source> files);

}  // namespace msci
