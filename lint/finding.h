// What lint reports about a source: plain values without pointers into the AST.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "compiler/frontend/version.h"

namespace msci {

// One way to resolve a finding. A safe fix keeps the meaning that the author intended; an unsafe
// one needs review.
struct Fix {
  std::vector<Edit> edits;
  bool safe = true;
  bool operator==(const Fix&) const = default;
};

// What a rule reports about one place of a source.
struct Finding {
  std::string rule;  // "metal.restrict"
  Severity severity = Severity::warning;
  Place place;          // in the source, a file that it includes, or a file of the host
  std::string message;  // lower case, one sentence, no full stop
  std::vector<Note> notes;
  std::vector<Fix> fixes;
  std::vector<LanguageVersion> versions;  // where it holds, oldest first, if several were linted
  bool operator==(const Finding&) const = default;
};

}  // namespace msci
