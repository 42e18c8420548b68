// What an instruction does, in words that the code we give to a compiler and its machine code
// share.
#pragma once

namespace msci {

// Only what a compiler neither adds nor repeats often: no integer additions, shifts and copies,
// which also compute addresses.
enum class OperationKind : unsigned char {
  other,
  load,  // of device memory, and likewise below
  store,
  threadgroup_load,
  threadgroup_store,
  atomic,
  barrier,
  add,  // of floats, and likewise below
  multiply,
  multiply_add,
  reciprocal,
  root,
  exponential,
  logarithm,
  sine,  // and cosine
  round,
  convert,
  multiply_integers,
  select,
  branch,
};

// An operation of one thread at a line of the source; 0 is an unknown one.
struct CodeOperation {
  OperationKind kind = OperationKind::other;
  unsigned line = 0;
  bool operator==(const CodeOperation&) const = default;
};

}  // namespace msci
