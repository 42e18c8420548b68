// Comments that suppress findings: `// msci: allow(hazard.x) reason`, `allow-file(hazard.x)
// reason`, and `allow-begin(hazard.x) reason` up to `allow-end(hazard.x)`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lint/selection.h"

namespace msci {

// One rule that a comment suppresses.
struct Suppression {
  std::string rule;
  std::string reason;
  unsigned first_line = 0;    // findings that begin on these lines are suppressed
  unsigned last_line = 0;     // inclusive
  Place place;                // of the rule's id in the comment
  bool in_condition = false;  // between #if and #endif: other builds may need it
  // Take this rule out of the comment, or out of both comments of a block, and with the last rule
  // the comment.
  std::vector<Edit> removal;
};

// The suppressions of a source, and the invalid ones as findings of lint.bad_suppression.
struct Suppressions {
  std::string file = {};  // as Place::file: findings in it are suppressed
  std::vector<Suppression> list;
  std::vector<Finding> bad;
};

// `allow` after code applies to its line, on its own line to the next line with code. `file` is
// that of the source's places: empty unless another source includes it.
Suppressions suppressions_in(const Source& source, std::span<const ListedRule> rules,
                             const std::string& file = {});

// A finding that a comment of the source suppresses.
struct SuppressedFinding {
  Finding finding;
  std::string reason;
  bool operator==(const SuppressedFinding&) const = default;
};

// Moves the suppressed findings out of `findings`; errors stay, since a source cannot suppress
// them. Adds findings on the suppressions themselves; on unused ones only if every rule has run
// (`complete`), and never inside a preprocessor condition.
std::vector<SuppressedFinding> take_suppressed(std::vector<Finding>& findings,
                                               const Suppressions& suppressions, bool complete);

}  // namespace msci
