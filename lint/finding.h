// What lint says about a source: plain values; no pointer into the AST survives in them.
#pragma once

#include <string>
#include <vector>

#include "lint/metal/diagnostic.h"

namespace msci {

// One way to mend a finding. A safe fix keeps the meaning that the author must have had; an unsafe
// one is a proposal to be read first.
struct Fix {
  std::vector<Edit> edits;
  bool safe = true;
  bool operator==(const Fix&) const = default;
};

// One thing that a rule has to say about one place of a source.
struct Finding {
  std::string rule;  // "metal.restrict"
  Severity severity = Severity::warning;
  std::string file;  // where the range lies, if not in the source itself: the host's name
  Range range;
  std::string message;  // lower case, one sentence, no full stop
  std::vector<Note> notes;
  std::vector<Fix> fixes;
  bool operator==(const Finding&) const = default;
};

}  // namespace msci
