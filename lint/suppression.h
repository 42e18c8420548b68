// Comments that allow a finding, with the reason: `// msci: allow(hazard.x) why it is right here`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lint/selection.h"

namespace msci {

// One rule that a comment allows.
struct Suppression {
  std::string rule;
  std::string reason;
  unsigned line = 0;          // the findings that begin here are allowed
  Range place;                // of the rule's id in the comment
  bool in_condition = false;  // between #if and #endif: other builds may have use for it
  Edit removal;  // takes this rule out of the comment, and with the last one the comment
};

// What the comments of a source say, and what is wrong with them: findings of
// lint.bad_suppression.
struct Suppressions {
  std::vector<Suppression> list;
  std::vector<Finding> bad;
};

// A comment behind code speaks of its line, one on a line of its own of the next line with code.
Suppressions suppressions_in(const Source& source, std::span<const ListedRule> rules);

// A finding that a comment of the source allows.
struct Allowed {
  Finding finding;
  std::string reason;
  bool operator==(const Allowed&) const = default;
};

// Moves the allowed findings out of `findings`. Errors stay: a source does not vouch for itself.
// Adds what is wrong with the suppressions themselves; unused ones only where every rule could look
// (`complete`), and at no place that the preprocessor may leave out.
std::vector<Allowed> take_allowed(std::vector<Finding>& findings, const Suppressions& suppressions,
                                  bool complete);

}  // namespace msci
