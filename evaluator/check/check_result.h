// The result of a checked run: msci-eval --check.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "engine/device/device.h"
#include "evaluator/result/allowed_rule.h"
#include "evaluator/result/result_heading.h"

namespace msci {

// A fault that a comment of the source allows.
struct SuppressedFault {
  Diagnostic fault;
  std::string rule;  // that the comment names
  std::string reason;
  bool operator==(const SuppressedFault&) const = default;
};

// What reruns of a kernel with a race say: whether its answer depends on the order in which
// threadgroups, simdgroups and lanes run.
struct Reruns {
  std::vector<std::string> orders;     // as --order takes them
  std::optional<std::string> differs;  // the first whose answer is another one
  // Of a plan with concurrent launches: whether these in reverse order give another answer.
  std::optional<bool> launches_differ = {};
  bool reversed_launches_fail = false;  // then they give no answer
  bool operator==(const Reruns&) const = default;
};

// Conflicting stores of equal values: they do not count as races, because memory stays as it is.
struct EqualStores {
  std::size_t count = 0;
  Place first;  // may be unknown
  bool operator==(const EqualStores&) const = default;
};

// What a thread writes to an os_log.
struct LoggedMessage {
  DebugCall::Kind kind = DebugCall::Kind::log;
  Place place;  // may be unknown
  ThreadPosition thread;
  ThreadPosition threadgroup;
  std::string subsystem = {};  // of the os_log; empty if it has none, or they are unknown
  std::string category = {};
  std::string text;
  bool operator==(const LoggedMessage&) const = default;
};

// Faults that were found before a kernel failed altogether are lost with it.
struct Checked {
  std::vector<Diagnostic> findings;  // by place; their ids are "check." and a Fault's kind
  std::vector<SuppressedFault> suppressed = {};  // by place; not among the findings
  std::optional<Failure> failure;                // the run did not end
  EqualStores benign_races = {};
  std::vector<unsigned> unreached =
      {};                             // lines with accesses or barriers that the run never got to
  std::optional<Reruns> reruns = {};  // where there is a race, and the device has a choice
  std::vector<LoggedMessage> messages = {};  // by launch and thread; they change no verdict
  std::size_t messages_left_out = 0;
  bool has_not_finite = false;  // some buffer of floats that kernels write holds infinity or NaN
  // Without errors: notes are about arithmetic that may be meant.
  bool clean() const;
  bool has_narrowed() const;  // a number was cut on its way into a narrower type
  bool has_race() const;      // suppressed or not
  bool operator==(const Checked&) const = default;
};

// Moves the faults that a comment allows from the findings to the suppressed ones: the comment
// names a rule for faults of this kind, and applies to the fault's line or to that of a note. Which
// end of a race is the fault and which is the note depends on the order in which the threads ran.
void take_suppressed(Checked& checked, std::span<const AllowedRule> allowed);

// What a checked run says of a hazard that lint found: a fault of the same kind at one of its
// places, suppressed or not; or none; or the run never got to one of the places.
enum class Joined { confirmed, not_seen, not_reached };
std::string_view to_string(Joined joined);

// Nothing for findings that the checked mode has no fault for.
std::optional<Joined> joined(const Diagnostic& finding, const Checked& checked);

// A buffer with other contents than the plan's (msci-eval --inputs).
struct ChangedInput {
  std::string buffer;
  std::string pattern;      // "equal to the greatest number"
  std::size_t changed = 0;  // elements that differ
  std::size_t elements = 0;
};

// A search for inputs that show a fault.
struct SearchedInputs {
  std::size_t runs = 0;
  std::vector<ChangedInput> changes = {};  // that show it; empty if none do
  std::string plan = {};                   // the file that has them; empty without one
};

struct CheckResult {
  ResultHeading heading;
  std::string size = {};
  std::vector<Diagnostic> diagnostics = {};  // the front end's
  RunOutcome<Checked> result = Error{};
  std::optional<SearchedInputs> inputs = {};  // where the plan's own show no fault
};

std::string to_text(const CheckResult& result, bool colour);
std::string to_json(const CheckResult& result);  // one line; nothing of ours reads it back
std::string check_schema();                      // the JSON schema of that line

}  // namespace msci
