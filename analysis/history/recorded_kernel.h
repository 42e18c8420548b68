// A kernel whose runs record the values that it computes, and what the records mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci::history {

// A value of one scalar, or of one component of a vector, that an instruction computes. Its number
// is its place in RecordedKernel::nodes.
struct Node {
  enum class Kind {
    value,    // computed from its operands
    chosen,   // one of its operands, as control came; the record has the operand's number
    address,  // of an access: bytes from the beginning of `object`
    load,     // operand 0 is the address
    store,    // operand 0 is the address, operand 1 what is stored
    atomic,   // the result of an atomic operation: operand 0 is the address
    lanes,    // computed from the operands of all lanes of a simdgroup
    branch,   // operand 0 decides it
  };
  Kind kind = Kind::value;
  unsigned line = 0;  // of the source; 0 if it is unknown
  unsigned bits = 0;  // of the value
  bool is_real = false;
  unsigned object = 0;  // of accesses: index into RecordedKernel::objects
  unsigned byte = 0;    // of loads and stores: from the address on
  int loop = -1;        // the innermost loop around it: index into RecordedKernel::loops
  // Of branches: the objects to which each way (true, false) can still store.
  std::vector<std::vector<unsigned>> stores_ahead = {};

  struct Operand {
    static constexpr std::int64_t constant = -1, unknown = -2;
    std::int64_t node = unknown;
    std::uint64_t bits = 0;    // of a constant
    bool is_previous = false;  // its value before the record of this node
  };
  std::vector<Operand> operands = {};
};

// Memory that accesses are to.
struct Object {
  enum class Kind { buffer, threadgroup, thread, unknown };
  Kind kind = Kind::unknown;
  unsigned argument = 0;  // of buffers: index into KernelSignature::arguments
  bool operator==(const Object&) const = default;
};

struct Loop {
  int outer = -1;     // the loop around it; -1 without one
  unsigned line = 0;  // of the condition that ends it; 0 if it is unknown
  bool operator==(const Loop&) const = default;
};

struct RecordedKernel {
  Translation translation;  // with the kernel alone, which has one more buffer than before
  unsigned binding = 0;     // of that buffer, in which the launch's records are
  std::vector<Node> nodes;
  std::vector<Object> objects;
  std::vector<Loop> loops;
};

// What is recorded.
enum class Recorded {
  stores,      // each store to a buffer, of all threads
  everything,  // all values that stores and conditions depend on; one threadgroup alone runs
};

// `translation`: for numerics, so that its values do not depend on the freedom of fast math and its
// instructions have lines. Isolated, since LLVM reads code that comes from a user's
// source. Errors: a limit is exceeded, or there are too many values.
Result<RecordedKernel> record_values(const Translation& translation, const std::string& kernel,
                                     Recorded recorded);

// ---- the buffer of records

struct Record {
  unsigned node = 0;
  unsigned thread = 0;       // in its threadgroup, x first
  unsigned threadgroup = 0;  // in its grid, x first
  std::uint64_t bits = 0;
};

// The contents of a buffer with room for that many records of a kernel with so many nodes, for the
// threadgroup at that position.
std::vector<std::byte> empty_records(std::size_t room, std::size_t nodes,
                                     const Extent& threadgroup);

// The records in their order. Errors: there was no room for all of them.
Result<std::vector<Record>> records_in(const Bytes& buffer);

}  // namespace msci::history
