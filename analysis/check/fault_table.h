// What faults.def says of each kind of fault, and the faults in words.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/check/fault.h"
#include "base/diagnostic.h"
#include "tasks/plan/program.h"

namespace msci {

// Whether a fault alone makes a kernel wrong, whatever its results are.
enum class Decisive {
  always,
  never,
  // A race in which a thread only reads a buffer does not: the value may not be used, and the
  // orders of the strict verdict show whether it is.
  unless_it_reads_a_buffer,
};

// What a proof is about, of one memory object or of all barriers (docs/concepts/proofs.md).
enum class ProofSubject {
  bounds,  // each access lies in the object, where its type can lie, by an index that did not wrap
  races,   // no two threads access a byte, one of them writing, with nothing that orders them
  barriers,     // all threads of a threadgroup come to each barrier together
  divisors,     // no integer is divided by zero
  shifts,       // no number is shifted by as many bits as it has, or more
  conversions,  // no integer changes on its way into a narrower type
};

struct FaultKind {
  Fault::Kind kind;
  std::string_view name;  // "out_of_bounds"
  Severity severity;
  Decisive decisive;
  std::optional<ProofSubject> proof;    // the proof that excludes such a fault, if there is one
  std::string_view meaning;             // what is found: "an integer is divided by zero"
  std::vector<std::string_view> rules;  // of lint that such a fault confirms
};

// All kinds, by their numbers.
std::span<const FaultKind> all_fault_kinds();
const FaultKind& description_of(Fault::Kind kind);

// "check.out_of_bounds": the rule id of its findings.
std::string finding_id(Fault::Kind kind);
// The kind whose findings have that id; null if there is none.
const FaultKind* kind_of_finding(std::string_view id);

// A line for each kind: the id of its findings, the severity, and what it means. The rules of lint
// that it confirms stand on a second line.
std::string list_fault_kinds();

// Whether a fault of that kind shows that a rule of lint is right. It may then also be suppressed
// by a comment that names the rule.
bool may_confirm(const Diagnostic& fault, std::string_view rule);
// Whether any kind of fault does.
bool has_fault_for(std::string_view rule);
// Whether the fault confirms the finding: it may, and lies at a line of the finding or of a note.
bool confirms(const Diagnostic& fault, const Diagnostic& finding);
// The lines of a finding and of its notes.
using FileLine = std::pair<std::string, unsigned>;  // of Place::file
std::set<FileLine> lines_of(const Diagnostic& finding);

bool is_decisive(const Fault& fault, const Translation& checked);

// A fault in a sentence, with the conflicting access in a note.
Diagnostic describe(const Fault& fault, const Translation& checked);

}  // namespace msci
