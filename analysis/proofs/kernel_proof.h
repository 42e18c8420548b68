// What is proved, refuted or unknown of a kernel in given launches.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/check/fault_table.h"

namespace msci {

enum class ProofAnswer { proved, refuted, unknown };
std::string_view to_string(ProofAnswer answer);

std::string_view to_string(ProofSubject subject);
// Arithmetic of one thread, whose faults are notes: a kernel may be right with them.
constexpr std::array arithmetic_subjects{ProofSubject::divisors, ProofSubject::shifts,
                                         ProofSubject::conversions};
bool is_of_arithmetic(ProofSubject subject);

// One thread at one line.
struct ProofThread {
  ThreadPosition thread;  // in its threadgroup
  ThreadPosition threadgroup;
  unsigned line = 0;
  unsigned place = 0;  // index into Translation::places; 0 where only the line is known
  bool operator==(const ProofThread&) const = default;
};

// What goes wrong: one thread outside of the object or misaligned in it, or two threads at one byte
// or at one branch.
struct Counterexample {
  ProofThread first;
  std::optional<ProofThread> second = {};
  bool both_write = false;  // of a race, whose first thread always writes
  std::int64_t offset = 0;  // in bytes, of the first thread's access
  // Of bounds: the access lies in its object, but not at a multiple of its alignment.
  bool misaligned = false;
  // Whether it needs no value that only a run knows, such as data that it loads. A run then shows
  // the fault.
  bool is_certain = true;
  // Of a race: whether the addresses and the barriers on the way, at least, need no such value.
  bool is_certain_place = true;
  // Of a race of two plain stores: whether the stored values differ for most data, and whether the
  // threads store there does not depend on data.
  bool values_differ = false;
  bool operator==(const Counterexample&) const = default;
};

struct ProofClaim {
  ProofSubject subject = ProofSubject::bounds;
  std::string object = {};  // a buffer or an array; empty for barriers
  ProofAnswer answer = ProofAnswer::unknown;
  // Of an unknown answer: what stopped the proof, and its line (0: no line).
  std::string reason = {};
  unsigned line = 0;
  // Also of an unknown answer, where it may be one.
  std::optional<Counterexample> counterexample = {};
  // Whether a run in the checked mode shows the counterexample; nothing without a run.
  std::optional<bool> confirmed = {};
  bool operator==(const ProofClaim&) const = default;

  // Whether an access that leaves the object refutes it, and not a misaligned one.
  bool leaves_object() const;
};

// Launches of a kernel with the same facts.
struct KernelProof {
  std::string kernel;
  std::string launch;                         // "grid 64 x 64, threadgroups of 8 x 8"
  std::size_t launches = 0;                   // how many of the plan
  std::size_t first = 0;                      // the first of them in the plan
  std::vector<std::string> assumptions = {};  // that it uses, as they are written
  std::vector<ProofClaim> claims = {};
  double seconds = 0;
  std::uint64_t steps = 0;  // of Z3
  bool met_limit = false;   // whether a limit of steps left a question open
  bool operator==(const KernelProof&) const = default;

  bool has(ProofAnswer answer) const;
};

}  // namespace msci
